import { h, type ComponentChild } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { areaOf } from "./area";
import { ROUNDS } from "./draw";
import type { Area, Pool, PoolRun } from "./run";
import { signalNames, signals } from "./signals";
import { areaInWords, countInWords, digits, isWrong, movesInWords, movesOf, outcomeInWords } from "./words";

interface ScoreProps {
  readonly pool: Pool;
  readonly draw: number;
  readonly again: () => void;
  readonly rounds: readonly PoolRun[];
  readonly made: readonly number[];
}

interface Line {
  readonly title: string;
  readonly ten: Area | undefined;
  readonly all: Area | undefined;
}

/** The end of a game: how many bets were right, and the area under the ROC curve next to those of the signals. */
export function Score({ pool, rounds, made, draw, again }: ScoreProps): ComponentChild {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.focus(), []);
  const ofTen = (betOf: (run: PoolRun, i: number) => number): Area | undefined =>
    areaOf(rounds.map((run, i) => ({ bet: betOf(run, i), fell: run.onset !== null })));
  const own = ofTen((_, i) => made[i]!);
  const lines: readonly Line[] = [
    { title: "you", ten: own, all: undefined },
    ...signalNames.map((name) => ({
      title: signals[name].title,
      ten: ofTen(({ level }) => level[name]),
      all: pool.areas[name],
    })),
  ];
  const fell = rounds.filter(({ onset }) => onset !== null).length;
  const wrong = rounds.flatMap((run, i) => (isWrong(run, made[i]!) ? [{ run, i }] : []));
  return h("section", { "aria-label": "Your score" }, [
    h("h2", { ref: head, tabIndex: -1 }, countInWords(rounds, made)),
    own && h("p", { class: "told" }, headline(lines)),
    own
      ? h(
          "p",
          null,
          `${fell} of your ten runs fell and ${ROUNDS - fell} held. The area under the ROC curve is the share of pairs, one that fell and one that held, in ` +
            `which the bet on the first is higher, ties counted half; 0.5 is guessing. Ten rounds say little: yours is ${areaInWords(own)}.`,
        )
      : h("p", null, `All ten ${fell > 0 ? "fell" : "held"}, so no two can be told apart: draw ten others.`),
    own &&
      h("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": "Areas under the ROC curve" }, [
        h("table", null, [
          h("thead", null, [
            h("tr", null, [
              h("td", null),
              h("th", { scope: "col" }, "on these ten"),
              h("th", { scope: "col" }, `on all ${pool.runs.length}`),
            ]),
          ]),
          h(
            "tbody",
            null,
            lines.map(({ title, ten, all }) =>
              h("tr", { class: title === "you" ? "you" : "" }, [
                h("th", { scope: "row" }, title),
                h("td", null, ten ? [bar(ten), digits(ten.mean)] : "–"),
                h("td", null, all ? [bar(all), digits(all.mean)] : "–"),
              ]),
            ),
          ),
        ]),
      ]),
    h(
      "h3",
      null,
      wrong.length === 0 ? "None of your bets was wrong" : "Where you were wrong, and what moved",
    ),
    wrong.length > 0 &&
      h(
        "ul",
        null,
        wrong.map(({ run, i }) =>
          h(
            "li",
            null,
            `Run ${i + 1}. ${outcomeInWords(run, made[i]!)} ${movesInWords(movesOf(run, pool), run)}`,
          ),
        ),
      ),
    h("div", { class: "bar" }, [
      h("button", { type: "button", class: "go", onClick: again }, "Ten other runs"),
    ]),
    h(
      "p",
      { class: "soft small" },
      `Draw ${draw}. The runs are those of lesson 04’s study of alarms, trap A in three settings; all that rose, with at least sixty updates before a fall, are in the ` +
        `pool, and a run that held is shown up to an age at which another of its setting fell. A signal bets by the highest level of its alarm in the last 25 ` +
        `updates. Areas here are over all pairs; the lesson compares within a setting, on its confirming half.`,
    ),
  ]);
}

/** The reader next to the best signal. */
function headline(lines: readonly Line[]): string {
  const [you, ...others] = lines as readonly [Line, ...Line[]];
  const best = others.reduce((a, b) => ((b.ten?.mean ?? 0) > (a.ten?.mean ?? 0) ? b : a));
  const mine = you.ten!.mean;
  const theirs = best.ten!.mean;
  if (mine > theirs)
    return `You beat every signal on these ten: ${digits(mine)}, and ${best.title} ${digits(theirs)}`;
  if (mine === theirs) return `You are level with ${best.title} on these ten: ${digits(mine)}`;
  return `You lost to ${best.title} on these ten: ${digits(mine)} against ${digits(theirs)}`;
}

/** An interval with its mean, from 0 to 1, and chance in the middle; the number beside it says the same. */
const bar = ({ mean, low, high }: Area): ComponentChild =>
  h(
    "svg",
    {
      class: "interval",
      viewBox: "0 0 120 16",
      role: "img",
      "aria-label": `95% interval ${digits(low)} to ${digits(high)}`,
    },
    [
      h("line", { class: "chance", x1: 60, x2: 60, y1: 0, y2: 16 }),
      h("line", { class: "between", x1: 120 * low, x2: 120 * high, y1: 8, y2: 8 }),
      h("circle", { cx: 120 * mean, cy: 8, r: 4 }),
    ],
  );
