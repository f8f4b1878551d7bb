import { log } from "../../base/elementary/log";
import type { Scene } from "./episodes";

/** Sizes of a drawing, in pixels and letters. */
export interface Look {
  /** Of the words. */
  readonly font: number;
  /** Of the numbers under the words. */
  readonly numberFont: number;
  /** Of labels outside of the cells. */
  readonly labelFont: number;
  readonly pad: number;
  readonly gap: number;
  readonly cell: number;
  /** The height of the bars of ratios; 0 where there are none. */
  readonly strip: number;
  readonly mapHeight: number;
  /** The most letters of what the world said, and of a word. */
  readonly heard: number;
  /** The lines for what the world said; with two, `heard` counts the letters of each. */
  readonly heardLines: 1 | 2;
  readonly word: number;
  /** The most tokens of a turn in a line. */
  readonly tokens: number;
  readonly hasAdvantage: boolean;
  readonly hasRatio: boolean;
  /** The largest advantage, whose color is the strongest. */
  readonly most: number;
  /** The log of the ratio at the end of a full bar. */
  readonly reach: number;
  readonly clip: Scene["clip"];
  /** The turns that are not taken by the same agent in all rows, by their numbers: their blocks name it. */
  readonly mixed: ReadonlySet<number>;
}

/** One trajectory is drawn large; several are drawn as rows that all fit on a screen. */
export function lookOf({ rows, clip, ratioTop }: Scene): Look {
  const tokens = rows.flatMap(({ turns }) => turns.flatMap((turn) => turn.tokens));
  const advantages = tokens.flatMap(({ advantage }) => advantage ?? []);
  const ratios = tokens.flatMap(({ ratio }) => ratio ?? []);
  const bounds = [clip.low, clip.high].filter((bound) => bound > 0 && bound < Infinity);
  const shared = {
    hasAdvantage: advantages.length > 0,
    hasRatio: ratios.length > 0,
    most: Math.max(...advantages.map(Math.abs), 1e-12),
    reach:
      ratioTop === undefined
        ? 1.15 * Math.max(log(1.1), ...[...ratios, ...bounds].map((x) => Math.abs(log(x))))
        : log(ratioTop),
    clip,
    mixed: mixedTurns(rows),
  };
  const { hasAdvantage, hasRatio } = shared;
  const hasMaps = rows.some(({ turns }) => turns.some(({ observation }) => observation.includes("\n")));
  if (rows.length === 1) {
    return {
      ...shared,
      font: 18,
      numberFont: 14,
      labelFont: 15,
      pad: 9,
      gap: 5,
      cell: hasAdvantage ? 50 : 36,
      strip: hasRatio ? 64 : 0,
      mapHeight: 88,
      heard: 44,
      heardLines: 1,
      word: 14,
      tokens: 24,
    };
  }
  const heard = 16;
  const isLong = rows.some(({ turns }) =>
    turns.some(({ observation }) => [...observation.trim()].length > heard),
  );
  return {
    ...shared,
    font: 15,
    numberFont: 12,
    labelFont: 14,
    pad: 6,
    gap: 3,
    cell: hasAdvantage || hasRatio || hasMaps || isLong ? 36 : 26,
    strip: hasRatio ? 19 : 0,
    mapHeight: 36,
    heard,
    heardLines: 2,
    word: 9,
    tokens: 8,
  };
}

function mixedTurns(rows: Scene["rows"]): Set<number> {
  const first = new Map<number, string | undefined>();
  const mixed = new Set<number>();
  for (const { number, agent } of rows.flatMap(({ turns }) => turns)) {
    if (!first.has(number)) first.set(number, agent);
    else if (first.get(number) !== agent) mixed.add(number);
  }
  return mixed;
}
