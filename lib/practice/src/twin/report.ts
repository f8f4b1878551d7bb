import { short } from "turnwise/internal/base/curve";
import type { Verdict } from "turnwise/internal/base/verdict";
import { card } from "turnwise/internal/base/card";
import type { Drawing } from "turnwise/internal/plot/index";
import { displaySymbol, type MimeBundle } from "turnwise/internal/base/display";
import { escapeHtml } from "turnwise/internal/base/escapeHtml";
import { carriedClaims, type CarriedClaim } from "./carryOver";
import type { Candidate, Skipped } from "./changes";
import { type ChangeInWorld, type ChangeOutcome, type Outcome, type WorldOutcome } from "./judge";
import type { WorldCurves } from "./curves";
import type { Likeness } from "./likeness";
import type { Mapping } from "./mapping";
import { twinPicture } from "./picture";
import { healthyInWords } from "./setting";
import { twinWorlds, type TwinWorld } from "./worlds";

/** A change, and what it did where the run's setting ends low. */
export interface TriedChange extends Omit<Candidate, "setting">, ChangeOutcome {}

/** The parts of a twin's report. */
export interface TwinParts {
  readonly mapping: Mapping;
  readonly worlds: readonly WorldOutcome[];
  readonly likeness: readonly Likeness[];
  readonly hasRun: boolean;
  /** Those that help most first. */
  readonly changes: readonly TriedChange[];
  readonly skipped: readonly Skipped[];
  readonly curves: readonly WorldCurves[];
  readonly seeds: readonly number[];
  /** Of each world. */
  readonly updates: readonly number[];
  readonly stopped: boolean;
  readonly done: number;
  readonly planned: number;
}

/** A twin as plain data. */
export interface TwinJson extends Omit<TwinParts, "mapping" | "hasRun"> {
  readonly headline: string;
  readonly mapping: Omit<Mapping, "setting">;
  readonly carriesOver: readonly CarriedClaim[];
}

/** Lines of a page; those of a list have a term before them. */
export type TwinLine = string | readonly [term: string, text: string];

const shown = (x: number): string => (Number.isNaN(x) ? "-" : x.toFixed(2));

/** A configuration in small worlds: whether it collapses there, whether that looks like the run, and what helps there. */
export class TwinReport {
  readonly mapping: Mapping;
  readonly worlds: readonly WorldOutcome[];
  readonly likeness: readonly Likeness[];
  readonly changes: readonly TriedChange[];
  readonly skipped: readonly Skipped[];
  readonly #parts: TwinParts;

  constructor(parts: TwinParts) {
    this.#parts = parts;
    this.mapping = parts.mapping;
    this.worlds = parts.worlds;
    this.likeness = parts.likeness;
    this.changes = parts.changes;
    this.skipped = parts.skipped;
  }

  /** Whether it ends low, and the change that helps most. */
  get headline(): string {
    const low = this.worlds.filter(({ says }) => says === "collapses" || says === "does not learn");
    const { stopped, done, planned } = this.#parts;
    const until = stopped ? `Stopped after ${done} of ${planned} runs. ` : "";
    if (low.length === 0) {
      const held = this.worlds.filter(({ says }) => says === "holds" || says === "does better");
      return held.length === this.worlds.length
        ? `${until}The twin holds in all ${this.worlds.length} worlds: nothing in these settings alone breaks it there.`
        : `${until}The twin is not shown to collapse in any of ${this.worlds.length} worlds.`;
    }
    const where = low.map(
      ({ world, own, says }) =>
        `${says} in the ${twinWorlds[world].title} (${own.lost} of ${own.runs} runs lost${supposed(world)})`,
    );
    const [best] = this.changes.filter(({ verdict }) => verdict?.kind === "holds");
    const helps =
      best !== undefined
        ? ` Helps there: ${best.written.join("  ")} (${best.worlds.map((one) => this.#kept(one)).join("; ")}).`
        : stopped || this.changes.length === 0
          ? ""
          : " No single change that was tried is shown to help there.";
    return `${until}The twin ${where.join(", ")}.${helps}`;
  }

  #kept({ world, outcome }: ChangeInWorld): string {
    const { own } = this.worlds.find((one) => one.world === world)!;
    return `${twinWorlds[world].title}: ${outcome.runs - outcome.lost} of ${outcome.runs} runs stay, ${own.runs - own.lost} of ${own.runs} as it is`;
  }

  /** The page's lines on the twin. */
  get lines(): readonly TwinLine[] {
    const { seeds, updates } = this.#parts;
    return [
      this.headline,
      `Trained from ${seeds.length} seeds for ${[...new Set(updates)].join(" or ")} updates, next to healthy settings: ${healthyInWords}.`,
      ...this.worlds.map((one) => worldLine(one)),
      ...this.#likenessLines(),
      ...this.#changeLines(),
      ...this.#mappingLines(),
      ...carriedClaims.map(({ says, measured, verdict }): TwinLine => [
        "carries over?",
        `${says} (lesson 11: ${measured}; ${verdict})`,
      ]),
      [
        "carries over?",
        "nothing here was measured on a language model of your size: take what helps as the first thing to try, not as its effect",
      ],
    ];
  }

  /** Success over the updates, a panel for each world; undefined if nothing was trained. */
  get picture(): Drawing | undefined {
    return twinPicture(
      this.#parts.curves,
      this.changes.some(({ verdict }) => verdict?.kind === "holds"),
    );
  }

  #likenessLines(): TwinLine[] {
    const { hasRun } = this.#parts;
    return this.likeness.map((one): TwinLine => {
      const moves = one.moves.map(
        ({ title, rose, runs, from, usual }) =>
          `${title} ${rose ? "rises" : "falls"} (update ${short(from)}, ${runs} of ${one.of}${usual ? ", as in healthy runs" : ""})`,
      );
      const order = `${twinWorlds[one.world].title}, lost runs in their order: ${moves.join(", ") || "no signal moved in half of them"}.`;
      return [
        "like yours?",
        hasRun ? `${order} ${nextTo(one)}` : `${order} There is no log to compare with.`,
      ];
    });
  }

  #changeLines(): TwinLine[] {
    const helps = this.changes.filter(({ verdict }) => verdict?.kind === "holds");
    const others = this.changes.filter(({ verdict }) => verdict?.kind !== "holds");
    return [
      ...helps.map((one): TwinLine => ["helps there", changeInWords(one)]),
      ...(others.length === 0
        ? []
        : [
            [
              "not shown",
              `${others.map((one) => `${one.title} (${one.written.join("  ")}; gain ${shown(one.gain)})`).join("; ")}`,
            ] as const,
          ]),
      ...(this.skipped.length === 0
        ? []
        : [["not tried", this.skipped.map(({ title, why }) => `${title}: ${why}`).join("; ")] as const]),
    ];
  }

  #mappingLines(): TwinLine[] {
    const { mapped, adjusted, left, confidence, doubts } = this.mapping;
    return [
      ["taken over", mapped.map(([name, value]) => `${name}: ${value}`).join("; ")],
      ...(adjusted.length > 0 ? [["changed", adjusted.join("; ")] as const] : []),
      ["not taken over", left.join("; ")],
      [
        "confidence",
        `${confidence}: ${[...doubts, "a table or a log-linear policy stands for the model"].join("; ")}`,
      ],
    ];
  }

  toString(): string {
    return this.lines.map((line) => (typeof line === "string" ? line : `${line[0]}: ${line[1]}`)).join("\n");
  }

  /** The report as plain data. */
  toJSON(): TwinJson {
    const { mapping, hasRun: _hasRun, ...rest } = this.#parts;
    const { setting: _setting, ...shownMapping } = mapping;
    return { headline: this.headline, mapping: shownMapping, ...rest, carriesOver: carriedClaims };
  }

  /** The card that a notebook shows. */
  [displaySymbol](): MimeBundle {
    return card({
      title: "Twin",
      about: this.headline,
      head: ["world", "lost", "healthy: lost", "success", "healthy: success", "verdict"],
      rows: this.worlds.map(({ world, own, healthy, says }) => [
        twinWorlds[world].title,
        `${own.lost} of ${own.runs}`,
        `${healthy.lost} of ${healthy.runs}`,
        shown(own.end),
        shown(healthy.end),
        says,
      ]),
      picture: {
        html:
          (this.picture?.svg ?? "") +
          this.lines
            .slice(1)
            .map((line) => `<p>${escapeHtml(typeof line === "string" ? line : `${line[0]}: ${line[1]}`)}</p>`)
            .join(""),
        text: String(this),
      },
    })[displaySymbol]();
  }
}

const supposed = (world: WorldOutcome["world"]): string => {
  const { supposes } = twinWorlds[world] as TwinWorld;
  return supposes === null ? "" : `; matters only with ${supposes}`;
};

const countsOf = ({ lost, fell, runs, end }: Outcome): string =>
  `${lost} of ${runs} lost${lost > 0 ? ` (${fell} after a rise)` : ""}, success ${shown(end)}`;

function worldLine({ world, own, healthy, verdict, says }: WorldOutcome): TwinLine {
  const { title, why, lesson } = twinWorlds[world];
  const judged =
    verdict === undefined
      ? "no verdict without pairs of runs"
      : `the healthy settings end higher: ${reasonOf(verdict)}`;
  return [
    says,
    `${title}: ${countsOf(own)}; healthy: ${countsOf(healthy)} (${judged}). ${why} (lesson ${lesson}).`,
  ];
}

function nextTo({ both, opposite, onlyRun, onlyTwin, sameOrder, pairs }: Likeness): string {
  const list = (titles: readonly string[]): string => titles.join(", ") || "none";
  return (
    `Next to yours: the same way in both: ${list(both)}; ${opposite.length > 0 ? `opposite ways: ${list(opposite)}; ` : ""}` +
    `in yours alone: ${list(onlyRun)}; in the twin alone: ${list(onlyTwin)}; ` +
    (pairs === 0 ? "no order to compare." : `${sameOrder} of ${pairs} pairs in the same order.`)
  );
}

/** The method behind a verdict. */
const reasonOf = ({ text, reason, family }: Verdict): string =>
  `${text}, ${reason}${family === null ? "" : `, ${family}`}`;

const changeInWords = ({ title, written, worlds, verdict }: TriedChange): string =>
  `${title}: ${written.join("  ")}. ` +
  worlds.map(({ world, outcome }) => `${twinWorlds[world].title}: ${countsOf(outcome)}`).join("; ") +
  (verdict === undefined ? "" : ` (ends higher: ${reasonOf(verdict)})`);
