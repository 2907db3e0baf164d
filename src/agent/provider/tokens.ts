// How many tokens a text has, before a server is asked: an estimate that learns from what servers report.

const LETTER_RUN = /[A-Za-z]+/g;
const CHARACTERS_PER_TOKEN = 4;
const TOKENS_PER_OTHER = 0.7;
/** How much one report moves the ratio. */
const LEARNING = 0.2;
const LEAST_RATIO = 0.25;
const GREATEST_RATIO = 4;

/** Letters by four, every other character that is no blank for itself. */
export function roughTokens(text: string): number {
  let letters = 0;
  for (const [run] of text.matchAll(LETTER_RUN)) letters += run.length;
  const others = text.replace(/[A-Za-z\s]/g, "").length;
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
