import { format } from "prettier";

/** A cell's source as Prettier leaves it at 100 columns, which is what a lecture hall can read. */
export async function formatted(source: string): Promise<string> {
  const [magic = ""] = /^%%module.*\n/.exec(source) ?? [];
  const code = source.slice(magic.length);
  return (magic + (await format(code, { parser: "typescript", printWidth: 100 }))).trimEnd();
}
