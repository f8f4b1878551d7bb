/** The parts of a doc comment. */
export interface DocComment {
  /** Everything before the first tag, as Markdown. */
  text: string;
  tags: { name: string; text: string }[];
}

/** Reads a comment from its opening to its closing mark. A line that starts with `@word` outside of a code block begins a tag. */
export function parseDocComment(comment: string): DocComment {
  const lines = comment
    .replace(/^\/\*\*/, "")
    .replace(/\*\/$/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd());
  const text: string[] = [];
  const tags: DocComment["tags"] = [];
  let fenced = false;
  for (const line of lines) {
    if (line.startsWith("```")) fenced = !fenced;
    const tag = fenced ? null : /^\s*@(\w+)\s*(.*)$/.exec(line);
    if (tag) tags.push({ name: tag[1]!, text: tag[2]! });
    else if (tags.length > 0) tags.at(-1)!.text += `\n${line}`;
    else text.push(line);
  }
  const linked = (part: string): string => part.replace(/\{@link\s+([^}]+)\}/g, "`$1`").trim();
  return {
    text: linked(text.join("\n")),
    tags: tags.map(({ name, text: body }) => ({ name, text: linked(body) })),
  };
}
