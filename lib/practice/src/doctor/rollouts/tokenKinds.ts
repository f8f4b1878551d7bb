import { textOfTokens, type StoredTurn } from "../../traces/trace";

/** Parts of a turn's text: its thoughts, its calls of tools, text of another role, and all else. */
export type TokenKind = "thought" | "call" | "other role" | "text";

interface Span {
  readonly kind: TokenKind;
  /** The text that begins it, and the one that ends it; without that it goes on to the end. */
  readonly begins: RegExp;
  readonly ends: RegExp;
}

/** In the order in which they are looked for where two begin at one place. */
const spans: readonly Span[] = [
  {
    kind: "other role",
    begins:
      /<tool_response>|<information>|<observation>|<\|im_start\|>\s*(?:tool|user|system)\b|<\|start_header_id\|>\s*(?:tool|ipython|user|system)\b/g,
    ends: /<\/tool_response>|<\/information>|<\/observation>|<\|im_end\|>|<\|eot_id\|>/g,
  },
  // The form of ReAct, whose lines begin with what they are.
  { kind: "other role", begins: /(?:^|\n)Observation:/g, ends: /(?=\n(?:Thought|Action|Final Answer):)/g },
  { kind: "thought", begins: /(?:^|\n)Thought:/g, ends: /(?=\n(?:Action|Observation|Final Answer):)/g },
  { kind: "call", begins: /(?:^|\n)Action:/g, ends: /(?=\n(?:Observation|Thought|Final Answer):)/g },
  { kind: "thought", begins: /<think(?:ing)?>/g, ends: /<\/think(?:ing)?>/g },
  {
    kind: "call",
    begins: /<tool_call>|<search>|<code>|<python>|<execute>/g,
    ends: /<\/(?:tool_call|search|code|python|execute)>/g,
  },
];

/** The kind of each token of a turn; undefined where tokens are numbers, which say nothing. */
export function kindsOf(turn: StoredTurn): readonly TokenKind[] | undefined {
  const text = textOfTokens(turn);
  if (text === undefined) return undefined;
  const marked = markedIn(text);
  const calls = turn.info?.tool_calls;
  // Calls that a chat keeps apart follow its text here, as JSON.
  const called = Array.isArray(calls) && calls.length > 0 ? Math.max(0, text.lastIndexOf('\n{"')) : Infinity;
  let at = 0;
  return turn.tokens.map((token) => {
    const length = String(token).length;
    // A word begins with the space before it.
    const middle = at + Math.floor(length / 2);
    at += length;
    if (middle >= called) return "call";
    return marked.find(({ from, to }) => middle >= from && middle < to)?.kind ?? "text";
  });
}

function markedIn(text: string): { readonly kind: TokenKind; readonly from: number; readonly to: number }[] {
  const found: { kind: TokenKind; from: number; to: number }[] = [];
  for (let at = 0; at < text.length;) {
    const next = spans
      .flatMap((span) => {
        const begin = after(span.begins, text, at);
        return begin ? [{ span, from: begin.index, inner: begin.index + begin[0].length }] : [];
      })
      .sort((a, b) => a.from - b.from)[0];
    if (!next) break;
    const end = after(next.span.ends, text, next.inner);
    const to = end ? end.index + end[0].length : text.length;
    found.push({ kind: next.span.kind, from: next.from, to });
    at = to;
  }
  return found;
}

function after(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}
