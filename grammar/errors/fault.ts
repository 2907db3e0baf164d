// Why a token, or a construct that the rules let through, is refused: what the scanner and the parser say of it.
// errors.ts makes a problem with a place out of it.

export interface Fault {
  readonly code: "E_SYNTAX" | "E_LIMIT";
  /** Stable, for programs. */
  readonly kind: string;
  /** What is wrong. */
  readonly message: string;
  /** What to do. */
  readonly hint: string;
}

export const syntaxFault = (kind: string, message: string, hint: string): Fault => ({
  code: "E_SYNTAX",
  kind,
  message,
  hint,
});
