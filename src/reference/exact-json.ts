// Reads JSON without losing an integer: tokens without "." and "e" beyond 2^53 become bigint, the rest as JSON.parse reads it.
// Apart from the product's own reader, so that the tests can read with it too.

/** Throws SyntaxError on anything that is not JSON. */
export function parseExactJson(text: string): unknown {
  let at = 0;

  function fail(): never {
    throw new SyntaxError(`not JSON at ${at}: ${text.slice(at, at + 20)}`);
  }
  function take(pattern: RegExp): string | null {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) return null;
    at += match[0].length;
    return match[0];
  }
  function takeSign(sign: string): boolean {
    take(/[ \t\r\n]*/y);
    if (text[at] !== sign) return false;
    at++;
    return true;
  }
  function members<T>(end: string, read: () => T): T[] {
    const found: T[] = [];
    if (takeSign(end)) return found;
    do found.push(read());
    while (takeSign(","));
    if (!takeSign(end)) fail();
    return found;
  }
  function string(): string {
    take(/[ \t\r\n]*/y);
    return JSON.parse(take(/"(?:[^"\\]|\\.)*"/y) ?? fail()) as string;
  }
  function value(): unknown {
    if (takeSign("{")) {
      const entries = members("}", () => {
        const key = string();
        if (!takeSign(":")) fail();
        return [key, value()] as const;
      });
      return Object.fromEntries(entries);
    }
    if (takeSign("[")) return members("]", value);
    if (text[at] === '"') return string();
    const word = take(/true|false|null/y);
    if (word !== null) return JSON.parse(word);
    const token = take(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y) ?? fail();
    const number = Number(token);
    return /^-?\d+$/.test(token) && !Number.isSafeInteger(number) ? BigInt(token) : number;
  }

  const whole = value();
  take(/[ \t\r\n]*/y);
  if (at < text.length) fail();
  return whole;
}
