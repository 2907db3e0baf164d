// Rules of the grammar for MATCH: clauses, the words before a path, nodes, edges and groups, and labels.
// Options of TIME_RESPECTING stand in one order, as none may stand twice.

export const PATTERNS = `
clause ::= ("OPTIONAL" b)? "MATCH" b body
body ::= (("DIFFERENT EDGES" | "REPEATABLE ELEMENTS") b)? pattern (comma pattern)* (b time)* (b "WHERE" b expr)?
pattern ::= (name o "=" o)? (search b)? (("WALK" | "TRAIL" | "ACYCLIC" | "SIMPLE") b)? (time-mode b)? chain
search ::= "ANY" (b best)? | "ALL" b best | best b count | ("EARLIEST" | "LATEST DEPARTURE" | "FASTEST") (b count)? | "LONGEST"
best ::= "SHORTEST" | "CHEAPEST"
time-mode ::= "CO_VALID" | "TIME_RESPECTING" (o "(" o time-options o ")")?
time-options ::= ties (comma max-wait)? (comma within-span)? (comma arrival)?
  | max-wait (comma within-span)? (comma arrival)?
  | within-span (comma arrival)?
  | arrival
ties ::= "TIES" b ("STRICT" | "ALLOW" | "BY SEQ")
max-wait ::= "MAX WAIT" b span
within-span ::= "WITHIN" b span
arrival ::= "ARRIVAL" b ("INSTANT" | "END")
chain ::= node (o (edge | group) o node)*
node ::= "(" o name? inside o ")"
edge ::= ("-" (edge-inside "-")? ">"? | "<-" (edge-inside "-")?) (o quantifier)?
edge-inside ::= "[" o name? inside (b "COST" b expr)? o "]"
inside ::= (o ":" o labels)? (b "IN" b name)? (o map)? (b "WHERE" b expr)?
group ::= "(" o chain (b "WHERE" b expr)? o ")" o quantifier
quantifier ::= [*+?] | "{" o (integer (o "," (o integer)?)? | "," o integer) o "}"
labels ::= label-term (o "|" o label-term)*
label-term ::= label-factor (o "&" o label-factor)*
label-factor ::= "!" o label-factor | any-name | "(" o labels o ")"
`;
