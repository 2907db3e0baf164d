// The fetch that the client library is given: no header from the environment, no redirect, no endless body or event.
import { AttemptFailure } from "./failure.js";

const MOST_BODY_BYTES = 8 * 1024 * 1024;
/** An event ends with an empty line. The library looks through all of one again for each of its chunks. */
const MOST_EVENT_BYTES = 1024 * 1024;
/** Twice the pieces of any answer that is asked for; each costs more than its bytes. */
const MOST_LINES = 200_000;
/** The library copies the rest of a chunk for each of its lines, and of a line for each of its chunks. */
const MOST_LINES_A_CHUNK = 64;
const SMALL_CHUNK_BYTES = 1024;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Headers that a request needs; whatever else the library adds is left out. */
const SENT_HEADERS: readonly string[] = ["accept", "content-type", "user-agent"];

/** Whether these bytes of a chunk leave an empty line empty. */
const isBlank = (chunk: Uint8Array, from: number, to: number): boolean =>
  to === from || (to === from + 1 && chunk[from] === CARRIAGE_RETURN);

/** How much has come. */
class Measure {
  private bytes = 0;
  private eventBytes = 0;
  private isLineEmpty = true;
  private lines = 0;

  get lineCount(): number {
    return this.lines;
  }

  /** Whether it is still within the limits with one more chunk. */
  allows(chunk: Uint8Array): boolean {
    this.bytes += chunk.length;
    let longest = 0;
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.eventBytes += at - from;
      longest = Math.max(longest, this.eventBytes);
      if (this.isLineEmpty && isBlank(chunk, from, at)) this.eventBytes = 0;
      this.isLineEmpty = true;
      this.lines += 1;
      from = at + 1;
    }
    this.eventBytes += chunk.length - from;
    this.isLineEmpty &&= isBlank(chunk, from, chunk.length);
    longest = Math.max(longest, this.eventBytes);
    return this.bytes <= MOST_BODY_BYTES && longest <= MOST_EVENT_BYTES && this.lines <= MOST_LINES;
  }
}

/** Passes a body on while it stays within its limits. */
function limited(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const measure = new Measure();
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const linesBefore = measure.lineCount;
      if (!measure.allows(chunk)) {
        controller.error(new AttemptFailure("too_large", "the answer of the model's server is too large"));
        return;
      }
      const isDense = measure.lineCount - linesBefore > MOST_LINES_A_CHUNK;
      const length = isDense ? SMALL_CHUNK_BYTES : chunk.length;
      for (let from = 0; from < chunk.length; from += length) controller.enqueue(chunk.subarray(from, from + length));
    },
  });
  return body.pipeThrough(watch);
}

export function limitedFetch(apiKey: string | null): typeof fetch {
  return async (input, init = {}) => {
    const given = new Headers(init.headers);
    const headers = new Headers();
    for (const name of SENT_HEADERS) {
      const value = given.get(name);
      if (value !== null) headers.set(name, value);
    }
    if (apiKey !== null) headers.set("authorization", `Bearer ${apiKey}`);
    const response = await fetch(input, { ...init, headers, redirect: "manual" });
    if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
      await response.body?.cancel();
      throw new AttemptFailure("redirect", "the model's server answers with a redirect", response.status);
    }
    // What an address without its /v1 gives: the library would read it as a stream without any piece.
    if (response.ok && /^text\/html\b/i.test(response.headers.get("content-type") ?? "")) {
      await response.body?.cancel();
      throw new AttemptFailure("web_page", "the model's server answers with a web page (text/html)", response.status);
    }
    if (response.body === null) return response;
    const { status, statusText } = response;
    return new Response(limited(response.body), { status, statusText, headers: response.headers });
  };
}
