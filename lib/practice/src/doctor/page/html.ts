import { escapeHtml } from "turnwise/internal/base/escapeHtml";
import { seriesColors } from "turnwise/internal/plot/index";
import { printable } from "../../logs/plainName";
import { logPicture } from "../../report/logPicture";
import type { Code } from "../../watch/codes";
import type { ReportParts } from "../parts";
import type { RunView } from "../view";
import { headlineOf } from "./headline";
import { sectionsOf } from "./sections";

const safe = (text: string): string => escapeHtml(printable(text));

/** The page as a file: it needs nothing else, and suits light and dark. */
export const htmlOf = (parts: ReportParts, code: Code): string =>
  documentOf(headlineOf(parts, code), fragmentOf(parts, code));

/** A file for a browser, of a part of a page. */
export function documentOf(title: string, body: string): string {
  return (
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${safe(title.slice(0, 120))}</title><style>:root{color-scheme:light dark}` +
    `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}svg{max-width:100%;height:auto}</style></head>` +
    `<body><main>${body}</main></body></html>\n`
  );
}

/** The page as part of another. */
export function fragmentOf(parts: ReportParts, code: Code): string {
  const { run } = parts.view;
  const sections = sectionsOf(parts).map(({ title, lines, picture: own = "" }) => {
    const items = lines.map((line) =>
      typeof line === "string"
        ? `<p style="margin:.2em 0">${safe(line)}</p>`
        : `<p style="margin:.2em 0;padding-left:1em"><strong>${safe(line[0])}</strong> ${safe(line[1])}</p>`,
    );
    return `<section><h3 style="margin:.8em 0 .2em">${safe(title)}</h3>${own}${items.join("")}</section>`;
  });
  return (
    `<h2 style="margin:.2em 0">${safe(headlineOf(parts, code))}</h2>` +
    (run ? picture(run) : "") +
    sections.join("")
  );
}

/** The signals of the run with a line where each event began, numbered in their order, and one at the fall. */
function picture({ verdict, events }: RunView): string {
  if (verdict.watched.length === 0) return "";
  const marks = events.map(({ from }, i) => ({ step: from, name: String(i + 1) }));
  const fall =
    verdict.success.kind === "fell"
      ? [{ step: verdict.dip!.onset, name: "fall", color: seriesColors[1]! }]
      : [];
  const drawn = logPicture(verdict.watched, [...marks, ...fall], "Signals of the run");
  const key = events.map(({ title, rose }, i) => `${i + 1} ${title} ${rose ? "rises" : "falls"}`).join(", ");
  return `<figure style="margin:0">${drawn.svg}<figcaption>${safe(key)}</figcaption></figure>`;
}
