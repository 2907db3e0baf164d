// SNAP edge lists: fields apart by spaces or tabs, lines that begin with # or % are comments.
// There are no quotes and no header.
import { FieldKind } from "./fields.js";
import { CR, LF, Tokenizer } from "./tokenizer.js";

const SPACE = 32;
const TAB = 9;
const HASH = 35;
const PERCENT = 37;

export class WhitespaceTokenizer extends Tokenizer {
  override next(): boolean {
    const { fields, limit } = this;
    const { bytes } = fields;
    while (this.at < limit) {
      const from = this.at;
      this.recordFrom = from;
      fields.line = this.line;
      fields.slotCount = 0;
      let at = from;
      if (bytes[at] === HASH || bytes[at] === PERCENT) at = this.endOfLine(at);
      for (; at < limit; at += 1) {
        let byte = bytes[at]!;
        if (byte === LF) break;
        if (byte === SPACE || byte === TAB || byte === CR) continue;
        const slot = fields.slotCount;
        if (slot === fields.from.length) fields.grow();
        fields.from[slot] = at;
        do {
          at += 1;
          byte = at < limit ? bytes[at]! : LF;
        } while (byte !== LF && byte !== SPACE && byte !== TAB && byte !== CR);
        fields.to[slot] = at;
        fields.kind[slot] = FieldKind.Bare;
        fields.slotCount = slot + 1;
        at -= 1;
      }
      this.at = Math.min(at + 1, limit);
      this.line += 1;
      this.checkBytes(from, at);
      if (fields.slotCount > 0) return true;
    }
    return false;
  }
}
