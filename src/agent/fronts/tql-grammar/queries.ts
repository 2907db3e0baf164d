// Rules of the grammar for queries: SELECT, CALL and MATCH, what joins and orders them, and the tables that they read.
// An alias without AS is a letter and digits: a longer one might be a word of the language. Behind an expression no parenthesis
// opens a query: what ends in a name would call it.

export const QUERIES = `
statement ::= (setting b worded-query | query) (o ";")?
setting ::= "SETTING" b default (comma default)*
default ::= "DEFAULT" b axis b period
query ::= (with b)? head rest
worded-query ::= (with b head | worded-head) rest
with ::= "WITH" b common-table (comma common-table)*
common-table ::= name b "AS" o "(" o query o ")"
head ::= worded-head | "(" o query o ")"
worded-head ::= select | call-query | match-query
rest ::= (b set-word b head)* (b order-by)? (b "LIMIT" b count (b "WITH TIES")?)? (b "OFFSET" b count)?
set-word ::= ("UNION" | "EXCEPT" | "INTERSECT") (b ("ALL" | "DISTINCT"))?
order-by ::= "ORDER BY" b sort (comma sort)*
sort ::= expr (b ("ASC" | "DESC"))? (b "NULLS" b ("FIRST" | "LAST"))?
select ::= "SELECT" b items (b "FROM" b source (comma source)*)? (b "WHERE" b expr)? grouping
items ::= ("DISTINCT" b)? item (comma item)*
item ::= "*" | name ".*" | expr (b "AS" b name)?
grouping ::= (b "GROUP BY" b ("ALL" | exprs))? (b "HAVING" b expr)? windows? (b "QUALIFY" b expr)?
windows ::= b "WINDOW" b named-window (comma named-window)*
named-window ::= name b "AS" b window
source ::= table (b join)*
join ::= "CROSS JOIN" b table | (join-word b)? "JOIN" b table b ("ON" b expr | "USING" o "(" o any-name (comma any-name)* o ")")
join-word ::= "INNER" | ("LEFT" | "RIGHT" | "FULL") (b "OUTER")? | "SEMI" | "ANTI"
table ::= base-table times-and-alias
  | (buckets | "UNNEST" o "(" o expr o ")" (b "WITH ORDINALITY")? | invocation | "(" o query o ")" | name member*) alias?
base-table ::= ("NODES" | "EDGES" | "EVENTS" | "ENDPOINTS") o "(" o (labels o)? ")"
  | "VERSIONS" o "(" o ("NODES" | "EDGES") (b labels)? o ")"
  | "COMMITS" o "(" o ")"
buckets ::= "BUCKETS" o "(" o "FROM" b additive b "TO" b additive b "STEP" b additive (b "ZONE" b string)? o ")"
times-and-alias ::= (b time)* alias? | alias (b time)+
alias ::= b ("AS" b name | [A-Za-z] [0-9]*) (o "(" o name (comma name)* o ")")?
invocation ::= "CALL" b operator o "(" o (argument (comma argument)* o)? ")" (b time)*
argument ::= any-name o "=>" o expr
call-query ::= invocation (b "YIELD" b ("*" | yield (comma yield)*))? (b "WHERE" b expr)?
yield ::= any-name (b "AS" b name)?
match-query ::= clause (b clause)* b "RETURN" b items grouping
`;
