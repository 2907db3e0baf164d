// Lines of a stream, each whole, without those that are longer than a message may be: the library would end the connection
// over one of them.
import { Transform } from "node:stream";

const NEWLINE = 0x0a;

/** `passedOver` is told how many bytes a line had. */
export function boundedLines(mostBytes: number, passedOver: (byteCount: number) => void): Transform {
  let pieces: Buffer[] = [];
  let byteCount = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let from = 0; from < chunk.length; ) {
        const newline = chunk.indexOf(NEWLINE, from);
        const to = newline < 0 ? chunk.length : newline + 1;
        byteCount += to - from;
        if (byteCount <= mostBytes) pieces.push(chunk.subarray(from, to));
        else pieces = [];
        from = to;
        if (newline < 0) break;
        if (byteCount <= mostBytes) this.push(Buffer.concat(pieces));
        else passedOver(byteCount);
        pieces = [];
        byteCount = 0;
      }
      done();
    },
  });
}
