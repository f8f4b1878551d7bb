const comment = String.raw`(?:\s|//[^\n]*\n|/\*[\s\S]*?\*/)*`;
const question = new RegExp(String.raw`^${comment}(\??)((?:%{0,2}|!)[\w$.]+)(\?{0,2})\s*$`);

/** The name in `name?`, `name??` or `?name`, IPython's ways to ask for help: none of them is TypeScript. */
export function questionedName(code: string): string | undefined {
  const [, before, name, after] = question.exec(code) ?? [];
  return before || after ? name : undefined;
}
