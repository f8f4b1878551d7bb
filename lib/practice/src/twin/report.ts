import { short } from "turnwise/internal/base/curve";
import { card } from "turnwise/internal/base/card";
import { displaySymbol, type MimeBundle } from "turnwise/internal/base/display";
import { escapeHtml } from "turnwise/internal/base/escapeHtml";
import { carriedClaims, type CarriedClaim } from "./carryOver";
import type { Candidate, Skipped } from "./changes";
import { SMALLEST, type ChangeOutcome, type Outcome, type WorldOutcome } from "./judge";
import type { Likeness } from "./likeness";
import type { Mapping } from "./mapping";
import { healthyInWords } from "./setting";
import { twinWorlds, type TwinWorldName } from "./worlds";

/** A change, and what it did in each world in which the run's setting ends low. */
export interface TriedChange extends Omit<Candidate, "setting"> {
  readonly worlds: readonly ChangeOutcome[];
  /** The worlds in which the verdict is that it helps. */
  readonly helpsIn: readonly TwinWorldName[];
}

/** What a twin is made of. */
export interface TwinParts {
  readonly mapping: Mapping;
  readonly worlds: readonly WorldOutcome[];
  readonly likeness: readonly Likeness[];
  readonly hasRun: boolean;
  /** Those that help most first. */
  readonly changes: readonly TriedChange[];
  readonly skipped: readonly Skipped[];
  readonly seeds: readonly number[];
  readonly updates: number;
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
      ({ world, own, says }) => `${says} in the ${twinWorlds[world].title} (${own.lost} of ${own.runs} runs lost)`,
    );
    const [best] = this.changes.filter(({ helpsIn }) => helpsIn.length > 0);
    const helps =
      best !== undefined
        ? ` Helps there: ${best.written.join("  ")} (${best.helpsIn.map((world) => this.#kept(best, world)).join("; ")}).`
        : stopped
          ? ""
          : " No single change that was tried is shown to help there.";
    return `${until}The twin ${where.join(", ")}.${helps}`;
  }

  #kept({ worlds }: TriedChange, world: TwinWorldName): string {
    const { outcome } = worlds.find((one) => one.world === world)!;
    const { own } = this.worlds.find((one) => one.world === world)!;
    return `${outcome.runs - outcome.lost} of ${outcome.runs} runs stay in the ${twinWorlds[world].title}; ${own.runs - own.lost} of ${own.runs} as it is`;
  }

  /** The page's lines on the twin. */
  get lines(): readonly TwinLine[] {
    const { seeds, updates } = this.#parts;
    return [
      this.headline,
      `Trained from ${seeds.length} seeds for ${updates} updates, next to healthy settings: ${healthyInWords}.`,
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

  #likenessLines(): TwinLine[] {
    const { hasRun } = this.#parts;
    return this.likeness.map((one): TwinLine => {
      const moves = one.moves.map(
        ({ title, rose, runs, from }) =>
          `${title} ${rose ? "rises" : "falls"} (update ${short(from)}, ${runs} of ${one.of})`,
      );
      const order = `${twinWorlds[one.world].title}, lost runs in their order: ${moves.join(", ") || "no signal moved in half of them"}.`;
      return ["like yours?", hasRun ? `${order} ${nextTo(one)}` : `${order} There is no log to compare with.`];
    });
  }

  #changeLines(): TwinLine[] {
    return [
      ...this.changes.map(({ title, written, helpsIn, worlds }): TwinLine => [
        helpsIn.length > 0 ? "helps" : "not shown",
        `${title}: ${written.join("  ")}. ${worlds.map((one) => changeInWords(one)).join("; ")}`,
      ]),
      ...this.skipped.map(({ title, why }): TwinLine => ["not tried", `${title}: ${why}`]),
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

  /** What a notebook shows in its place. */
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
        html: this.lines
          .slice(1)
          .map((line) => `<p>${escapeHtml(typeof line === "string" ? line : `${line[0]}: ${line[1]}`)}</p>`)
          .join(""),
        text: String(this),
      },
    })[displaySymbol]();
  }
}

const countsOf = ({ lost, fell, runs, end }: Outcome): string =>
  `${lost} of ${runs} lost${lost > 0 ? ` (${fell} after a rise)` : ""}, success ${shown(end)}`;

function worldLine({ world, own, healthy, verdict, says }: WorldOutcome): TwinLine {
  const { title, why, lesson } = twinWorlds[world];
  const judged =
    verdict === undefined
      ? "no verdict without pairs of runs"
      : `the healthy settings end higher by ${SMALLEST}: ${verdict.text}, ${verdict.reason}${verdict.family === null ? "" : `, ${verdict.family}`}`;
  return [says, `${title}: ${countsOf(own)}; healthy: ${countsOf(healthy)} (${judged}). ${why} (lesson ${lesson}).`];
}

function nextTo({ both, opposite, onlyRun, onlyTwin, sameOrder, pairs }: Likeness): string {
  const list = (titles: readonly string[]): string => titles.join(", ") || "none";
  return (
    `Next to yours: the same way in both: ${list(both)}; ${opposite.length > 0 ? `opposite ways: ${list(opposite)}; ` : ""}` +
    `in yours alone: ${list(onlyRun)}; in the twin alone: ${list(onlyTwin)}; ` +
    (pairs === 0 ? "no order to compare." : `${sameOrder} of ${pairs} pairs in the same order.`)
  );
}

const changeInWords = ({ world, outcome, gain, verdict }: ChangeOutcome): string =>
  `${twinWorlds[world].title}: ${countsOf(outcome)}, gain ${shown(gain)}` +
  (verdict === undefined
    ? ""
    : ` (${verdict.text}: ${verdict.reason}${verdict.family === null ? "" : `, ${verdict.family}`})`);
