/** The next place, past a comment or a text that begins here. */
export function pastHidden(text: string, at: number): number {
  if (text[at] === "#") return endOr(text, text.indexOf("\n", at));
  const quote = /^(?:"""|'''|"|')/.exec(text.slice(at, at + 3))?.[0];
  if (quote === undefined) return at + 1;
  for (let i = at + quote.length; i < text.length; i++) {
    if (text[i] === "\\") i += 1;
    else if (text.startsWith(quote, i)) return i + quote.length;
    else if (text[i] === "\n" && quote.length === 1) return i;
  }
  return text.length;
}

const endOr = (text: string, end: number): number => (end < 0 ? text.length : end);

/** A program of the same length in which blanks stand for comments, texts and what is in brackets. */
export function statementsOf(text: string): string {
  let shown = "";
  let depth = 0;
  for (let i = 0; i < text.length;) {
    const next = pastHidden(text, i);
    const isHidden = next > i + 1 || "#\"'".includes(text[i]!);
    if (!isHidden && ")]}".includes(text[i]!)) depth = Math.max(0, depth - 1);
    const piece = text.slice(i, next);
    shown += isHidden || depth > 0 ? piece.replace(/[^\n]/g, " ") : piece;
    if (!isHidden && "([{".includes(text[i]!)) depth += 1;
    i = next;
  }
  return shown;
}
