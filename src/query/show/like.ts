// LIKE over the names that SHOW lists: % for any characters, _ for one, everything else itself.
// Case-sensitive, as LIKE is; without backtracking that grows with the pattern.

export function isLike(text: string, pattern: string): boolean {
  const characters = [...text];
  const marks = [...pattern];
  let at = 0;
  let mark = 0;
  // Where the last % stands, and how far the text went with it: the only place to go back to.
  let percent = -1;
  let resumed = 0;
  while (at < characters.length) {
    if (mark < marks.length && marks[mark] === "%") {
      percent = mark;
      resumed = at;
      mark += 1;
    } else if (mark < marks.length && (marks[mark] === "_" || marks[mark] === characters[at])) {
      at += 1;
      mark += 1;
    } else if (percent >= 0) {
      resumed += 1;
      at = resumed;
      mark = percent + 1;
    } else return false;
  }
  return marks.slice(mark).every((each) => each === "%");
}
