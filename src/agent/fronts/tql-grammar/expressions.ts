// Rules of the grammar for expressions: conditions, tests, arithmetic, what may stand in them, calls and windows.
// A minus between two operands has a blank behind it, as two of them would begin a comment; numbers have no members.

export const EXPRESSIONS = `
exprs ::= expr (comma expr)*
expr ::= condition (b ("AND" | "OR") b condition)*
condition ::= ("NOT" b)* additive test?
test ::= o ("=" | "<>" | "!=" | "<=" | ">=" | "<" | ">") o additive
  | b "IS" b ("NOT" b)? ("NULL" | "TRUE" | "FALSE" | "DISTINCT FROM" b additive)
  | b ("NOT" b)? worded-test
worded-test ::= "IN" b additive
  | "BETWEEN" b additive b "AND" b additive
  | ("LIKE" | "ILIKE") b additive (b "ESCAPE" b string)?
  | period-word b additive
period-word ::= "OVERLAPS" | "CONTAINS" | "EQUALS" | ("IMMEDIATELY" b)? ("PRECEDES" | "SUCCEEDS") | ("STARTS" | "ENDS") b "WITH"
additive ::= operand (o ("+" | "*" | "/" | "%" | "||") o operand | o "-" b operand)*
operand ::= [+-]? (literal | anchor (member | index)*)
member ::= "." any-name
index ::= "[" o (integer | "*" | string) o "]"
anchor ::= call | name | parameter | "(" o (worded-query | exprs) o ")"
literal ::= string | number | integer | "TRUE" | "FALSE" | "NULL" | instant | span | list | map | case | cast | extract | exists
list ::= "[" o (exprs o)? "]"
map ::= "{" o (entry (comma entry)* o)? "}"
entry ::= any-name o ":" o expr
case ::= "CASE" b (expr b)? (when b)+ ("ELSE" b expr b)? "END"
when ::= "WHEN" b expr b "THEN" b expr
cast ::= ("CAST" | "TRY_CAST") o "(" o expr b "AS" b any-name "[]"? o ")"
extract ::= "EXTRACT" o "(" o any-name b "FROM" b expr (b "ZONE" b string)? o ")"
exists ::= "EXISTS" o ("(" o query o ")" | braces) | "COUNT" o braces
braces ::= "{" o ("MATCH" b)? body o "}"
call ::= (function "(" o (arguments o)? ")" within? | ("PERCENTILE_CONT" | "PERCENTILE_DISC") "(" o expr o ")" within) filter? over?
arguments ::= "*" | ("DISTINCT" b)? exprs (b order-by)? (b "IGNORE NULLS")?
within ::= b "WITHIN GROUP" o "(" o order-by o ")"
filter ::= b "FILTER" o "(" o "WHERE" b expr o ")"
over ::= b "OVER" b (name | window)
window ::= "(" o (partition (b order-by)? (b frame)? | order-by (b frame)? | frame)? o ")"
partition ::= "PARTITION BY" b exprs
frame ::= ("ROWS" | "RANGE" | "GROUPS") b (bound | "BETWEEN" b bound b "AND" b bound) (b "EXCLUDE" b ("CURRENT ROW" | "GROUP" | "TIES"))?
bound ::= "CURRENT ROW" | ("UNBOUNDED" | integer | span) b ("PRECEDING" | "FOLLOWING")
`;
