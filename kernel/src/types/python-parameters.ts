const words: Readonly<Record<string, string>> = { True: "true", False: "false", None: "null" };
const token =
  /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#[^\n]*|float\(['"](nan|-?inf)['"]\)|[\p{ID_Start}_][\p{ID_Continue}]*|[^]/gu;
const assignment = /^[\p{ID_Start}_][\p{ID_Continue}]*[ \t]*=(?!=)/u;

/**
 * The parameters that papermill has written as Python, in TypeScript; undefined for any other cell. Lines stay where they are.
 *
 * Papermill knows no TypeScript, but any kernel's notebook may be given parameters in the words of another language:
 * `papermill --language python`.
 */
export function pythonParameters(code: string): string | undefined {
  // A number sign with a space behind it begins no TypeScript.
  if (!/^\s*#[ \t]/.test(code)) return undefined;
  let depth = 0;
  let lineStart = true;
  let text = "";
  for (const { 0: part, 1: special, index } of code.matchAll(token)) {
    if (lineStart && depth === 0 && !/\s/.test(part)) {
      if (!part.startsWith("#")) {
        if (!assignment.test(code.slice(index))) return undefined;
        text += "var ";
      }
      lineStart = false;
    }
    if (part === "\n") lineStart = true;
    if (/^[[{(]$/.test(part)) depth++;
    if (/^[\]})]$/.test(part)) depth--;
    if (part.startsWith("#")) text += `//${part.slice(1)}`;
    else if (special !== undefined) text += special.replace("nan", "NaN").replace("inf", "Infinity");
    else text += Object.hasOwn(words, part) ? words[part]! : part;
  }
  return text;
}
