import ts from "typescript";
import { escapeHtml } from "../../display/html.js";

const classOf = new Map<ts.TokenClass, string>([
  [ts.TokenClass.Keyword, "keyword"],
  [ts.TokenClass.Comment, "comment"],
  [ts.TokenClass.NumberLiteral, "number"],
  [ts.TokenClass.BigIntLiteral, "number"],
  [ts.TokenClass.StringLiteral, "string"],
  [ts.TokenClass.RegExpLiteral, "string"],
]);

/** TypeScript source as HTML, with keywords, comments, numbers and strings marked. */
export function highlight(source: string): string {
  const classifier = ts.createClassifier();
  let state = ts.EndOfLineState.None;
  const lines = source.split("\n").map((line) => {
    const { entries, finalLexState } = classifier.getClassificationsForLine(line, state, false);
    state = finalLexState;
    let at = 0;
    return entries
      .map(({ length, classification }) => {
        const text = escapeHtml(line.slice(at, (at += length)));
        const name = classOf.get(classification);
        return name ? `<span class="${name}">${text}</span>` : text;
      })
      .join("");
  });
  return lines.join("\n");
}
