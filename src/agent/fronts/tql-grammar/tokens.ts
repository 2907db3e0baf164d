// Rules of the grammar for times and for the least pieces, as they are written inside a string of JSON: there a double quote and
// a backslash have one before them, and a line ends in \n. Names without quotes are ASCII.

export const TOKENS = String.raw`
time ::= "FOR" b (axis b period | "ALL" b axis)
axis ::= "VALID_TIME" | "TRANSACTION_TIME" | "SYSTEM_TIME"
period ::= "AS OF" b ("LATEST" | "TX" b count | additive)
  | ("ONLY" b)? "FROM" b additive b "TO" b additive
  | "BETWEEN" b additive b "AND" b additive
  | "CONTAINED IN" o "(" o additive comma additive o ")"
  | "ALL"
instant ::= "TIMESTAMP" b "'" date ([T ] clock)? "'"
  | "DATE" b "'" date "'"
  | ("EPOCH_S" | "EPOCH_MS" | "EPOCH_US") b ("-"? integer | parameter)
  | "CURRENT_TIMESTAMP" | "CURRENT_DATE" | "BEGINNING" | "FOREVER"
date ::= [0-9]{4} "-" ("0" [1-9] | "1" [0-2]) "-" ("0" [1-9] | [12] [0-9] | "3" [01])
clock ::= hour ":" sixtieth ":" sixtieth ("." [0-9]{1,6})? ("Z" | [+-] hour ":" sixtieth)?
sixtieth ::= [0-5] [0-9]
hour ::= [01] [0-9] | "2" [0-3]
span ::= "DURATION" b "'P" (days clock-parts? | clock-parts) "'" | "INTERVAL" b "'P" (calendar-part+ clock-parts? | clock-parts) "'" | parameter
days ::= ([0-9]{1,6} [WD])+
calendar-part ::= [0-9]{1,6} [YMWD]
clock-parts ::= "T" ([0-9]{1,9} ("." [0-9]{1,6})? [HMS])+
count ::= integer | parameter
integer ::= [0-9]{1,18} | [1-8] [0-9]{18} | "9223372036854775807"
number ::= [0-9]{1,15} ("." [0-9]{1,15} exponent? | exponent)
exponent ::= [eE] [+-]? [0-9]{1,2}
string ::= "'" (text-char | [\x60] | "\\\"" | "''")* "'"
quoted-name ::= "\\\"" (text-char | ['\x60] | "\\\"\\\"")+ "\\\"" | [\x60] (text-char | "'" | "\\\"")+ [\x60]
text-char ::= [^'"\\\x60\x00-\x1F] | "\\\\" | "\\n" | "\\t"
parameter ::= "$" identifier
any-name ::= identifier | quoted-name
name ::= bare-name | quoted-name
identifier ::= [A-Za-z_] word-char*
word-char ::= [A-Za-z0-9_]
comma ::= o "," o
o ::= b?
b ::= (" " | "\\n") " "{0,8}
`;
