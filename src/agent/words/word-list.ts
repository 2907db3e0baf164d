// How lists of words are written, so that hundreds of them can be read: with commas, in lines.

/** The words and phrases of a text, in its order. */
export const wordList = (text: string): readonly string[] => text.trim().split(/\s*,\s*/);
