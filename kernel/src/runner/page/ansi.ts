import { escapeHtml } from "../../display/html.js";

// By hand, as a library would be larger: the colors that programs print become classes, which follow the page's theme.
const escape = String.fromCharCode(27);
const sequence = new RegExp(
  `${escape}(?:\\[([0-9;]*)([A-Za-z])|\\](?:[^\\u0007${escape}]*(?:\\u0007|${escape}\\\\))?|[@-Z\\\\^_])`,
  "g",
);
const colors = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/** Applies one "select graphic rendition" code to the classes; unknown codes change nothing. */
function apply(classes: Set<string>, code: number): void {
  const drop = (prefix: string): void => {
    for (const name of classes) if (name.startsWith(prefix)) classes.delete(name);
  };
  if (code === 0) classes.clear();
  else if (code === 1) classes.add("ansi-bold");
  else if (code === 3) classes.add("ansi-italic");
  else if (code === 4) classes.add("ansi-underline");
  else if (code === 22) classes.delete("ansi-bold");
  else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) {
    drop("ansi-fg-");
    classes.add(`ansi-fg-${colors[code % 10]}`);
  } else if (code === 39) drop("ansi-fg-");
}

/** Text as a terminal would show it: a carriage return overwrites the line, so that a progress bar stays on one line. */
export function overwriteLines(text: string): string {
  return text
    .split("\n")
    .map((line) => {
      let end = line.length;
      while (line[end - 1] === "\r") end--;
      return end === 0 ? "" : line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
    })
    .join("\n");
}

/** Terminal text as HTML: colors become classes, everything else is escaped. */
export function ansiToHtml(text: string): string {
  const classes = new Set<string>();
  const wrap = (part: string): string => {
    if (part === "") return "";
    return classes.size === 0
      ? escapeHtml(part)
      : `<span class="${[...classes].join(" ")}">${escapeHtml(part)}</span>`;
  };
  const shown = overwriteLines(text);
  let html = "";
  let at = 0;
  for (const match of shown.matchAll(sequence)) {
    html += wrap(shown.slice(at, match.index));
    at = match.index! + match[0].length;
    if (match[2] === "m") for (const code of match[1].split(";")) apply(classes, Number(code));
  }
  return html + wrap(shown.slice(at));
}
