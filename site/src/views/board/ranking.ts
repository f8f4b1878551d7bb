import { h, type ComponentChild } from "preact";
import type { Site } from "../shared/ending";
import type { Board, Score } from "./scores";
import { two } from "./words";

/** A line of the table: a rule of the board, or the reader's. */
export interface Ranked {
  readonly key: string;
  readonly title: string;
  readonly score: Score;
  readonly isOwn: boolean;
}

/** A world's name in words that a narrow column can break, such as "Look Up". */
const shortName = (id: string): string => id.replace("-v0", "").replace(/(?<=[a-z])(?=[A-Z])/g, " ");

/** All rules by their score, the chosen one marked; in a site, each leads to its page. */
export function ranking(
  { worlds }: Board,
  lines: readonly Ranked[],
  rule: string,
  site: Site | undefined,
): ComponentChild {
  const sorted = [...lines].sort((a, b) => b.score.overall - a.score.overall);
  const columns = ["place", "rule", "all", ...worlds.map(({ id }) => shortName(id))];
  return h("div", { class: "scroll", role: "region", "aria-label": "Scores of all rules", tabindex: 0 }, [
    h("table", null, [
      h("thead", null, [
        h(
          "tr",
          null,
          columns.map((text) => h("th", { scope: "col" }, text)),
        ),
      ]),
      h(
        "tbody",
        null,
        sorted.map(({ key, title, score, isOwn }, i) =>
          h("tr", { key, class: isOwn || key === rule ? "marked" : undefined }, [
            h("td", null, String(i + 1)),
            h(
              "th",
              { scope: "row" },
              isOwn || site === undefined ? title : h("a", { href: `${site.root}rules/${key}/` }, title),
            ),
            ...[score.overall, ...score.byWorld].map((x) => h("td", null, two(x))),
          ]),
        ),
      ),
    ]),
  ]);
}
