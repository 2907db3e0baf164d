// How many tokens a text has, before a server is asked: an estimate that learns from what servers report.

const CHARACTERS_PER_TOKEN = 4;
const TOKENS_PER_OTHER = 0.7;
/** How much one report moves the ratio. */
const LEARNING = 0.2;
const LEAST_RATIO = 0.25;
const GREATEST_RATIO = 4;

const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
const isBlank = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || (code > 127 && /\s/.test(String.fromCharCode(code)));

/** Letters by four, every other character that is no blank for itself. One pass: prompts are long, and each is counted. */
export function roughTokens(text: string): number {
  let letters = 0;
  let others = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (isLetter(code)) letters += 1;
    else if (!isBlank(code)) others += 1;
  }
  return Math.ceil(letters / CHARACTERS_PER_TOKEN + others * TOKENS_PER_OTHER);
}

/** The ratio of a model's tokens to the rough count. */
export class TokenRatio {
  private ratio = 1;

  estimate(text: string): number {
    return Math.ceil(roughTokens(text) * this.ratio);
  }

  learn(text: string, tokens: number): void {
    const rough = roughTokens(text);
    if (rough === 0 || tokens <= 0) return;
    const found = Math.min(GREATEST_RATIO, Math.max(LEAST_RATIO, tokens / rough));
    this.ratio += (found - this.ratio) * LEARNING;
  }
}
