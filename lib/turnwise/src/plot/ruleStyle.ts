import { citations } from "../rule/citations";
import type { RecipeName } from "../rule/rules";
import { crimson, seriesColors, seriesDashes } from "./palette";

/** Style of a series: a color, and a dash pattern as the second cue. */
export interface SeriesStyle {
  readonly color: string;
  readonly dash: readonly number[];
}

const [blue, orange, green, pink] = seriesColors as readonly [string, string, string, string];
/** Rules of the library have none of the orange, which means less of something elsewhere and marks custom rules. */
const hues = { blue, green, pink, crimson } as const;
type Hue = keyof typeof hues;

const dashes: readonly (readonly number[])[] = [...seriesDashes, [12, 4], [4, 2, 1, 2], [1, 3]];

/** For the rules of a hue that come after each dash has been used once. */
const moreDashes: readonly (readonly number[])[] = [
  [16, 3, 3, 3],
  [10, 2],
  [3, 5],
  [6, 2, 1, 2, 1, 2],
  [14, 2, 2, 2, 2, 2],
  [8, 8],
  [2, 6],
  [5, 1],
  [12, 3, 6, 3],
  [4, 4, 1, 4],
  [18, 6],
  [7, 3, 3, 3],
  [9, 2, 2, 2, 9, 6],
  [1, 6],
  [20, 3, 4, 3],
];

/**
 * The hue of each rule, in the order of their dashes; each hue begins with another dash. Rules that are often compared with
 * each other differ in both. An entry never moves, as readers have learned it.
 */
const byHue: Readonly<Record<Hue, readonly RecipeName[]>> = {
  blue: [
    "grpo",
    "reinforce",
    "turnPpo",
    "hiper",
    "stepPo",
    "loop",
    "igpo",
    "cispo",
    "perTurnLoo",
    "hgpo",
    "tis",
    "clipCov",
    "vespo",
    "fairFspo",
    "at2po",
    "gpg",
    "reMax",
    "agentOpsd",
    "opsd",
    "carl",
  ],
  green: [
    "seeUpo",
    "dapo",
    "sapo",
    "soPpo",
    "starPoS",
    "mGrpo",
    "reinforcePlusPlus",
    "iStar",
    "dppoTv",
    "treeGrpo",
    "rlAnything",
    "opo",
    "ragenTopP",
    "mis",
    "klCov",
    "m2po",
    "gdpo",
    "rae",
    "graphGpo",
    "hcapo",
  ],
  pink: [
    "ppo",
    "drGrpo",
    "gigpo",
    "starPo",
    "soGrpo",
    "happo",
    "dppoKl",
    "arpo",
    "factualityFspo",
    "maxRl",
    "icePop",
    "geoRs",
    "rlPlus",
    "sharp",
    "highEntropy",
    "optimalToken",
    "offPolicyMask",
    "luspo",
    "tpo",
    "a2tgpo",
  ],
  crimson: [
    "rloo",
    "gspo",
    "drMas",
    "sPpo",
    "verlGrpo",
    "seeUpoAuthors",
    "onPolicyDistillation",
    "gmpo",
    "mtGrpo",
    "adaptiveEntropy",
    "pacedRl",
    "agentPrm",
    "dro",
    "grpoPassK",
    "reinforcePlusPlusBaseline",
    "hierarchicalGrpo",
    "c3",
    "vcpo",
    "echo",
    "ccpo",
  ],
};

function dashOf(i: number, hue: number): readonly number[] {
  return i < dashes.length ? dashes[(i + hue) % dashes.length]! : moreDashes[i - dashes.length]!;
}

const styles: ReadonlyMap<string, SeriesStyle> = new Map(
  (Object.keys(hues) as Hue[]).flatMap((hue, h) =>
    byHue[hue].map((name, i) => [name, { color: hues[hue], dash: dashOf(i, h) }] as const),
  ),
);

/** Letters and digits alone, so that "Dr. GRPO" and "drGrpo" are one. */
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll("+", "plus")
    .replace(/[^a-z0-9]/g, "");

const placed = Object.values(byHue).flat();
const byPlainName: ReadonlyMap<string, RecipeName> = new Map([
  ...placed.map((name) => [plain(citations[name].title), name] as const),
  ...placed.map((name) => [plain(name), name] as const),
]);

/** The rule that a series is called by: `grpo`, `Dr. GRPO`, `seeUpo, G = 8`, `rloo (2)` or `recipe=ppo groups=4`. */
function ruleOf(series: string): RecipeName | undefined {
  const axis = /(?:^|[ ,])recipe=([^ ,]+)/.exec(series)?.[1];
  const start = /^[^,(:=]+/.exec(series)?.[0] ?? "";
  for (const name of [series, axis, start]) {
    const rule = name === undefined ? undefined : byPlainName.get(plain(name));
    if (rule !== undefined) return rule;
  }
  return undefined;
}

/** The color of the rule that a series is called by; undefined where it is called by none. */
export function ruleColor(series: string): string | undefined {
  const rule = ruleOf(series);
  return rule === undefined ? undefined : styles.get(rule)!.color;
}

/** A small square in the rule's color, to stand before its name in HTML; nothing where no rule is named. */
export function swatch(series: string): string {
  const color = ruleColor(series);
  return color === undefined ? "" : `<span aria-hidden="true" style="color:${color}">■</span> `;
}

/**
 * One style for each series: a rule looks the same in every chart, and other series get what is left, in their order.
 *
 * A series belongs to a rule by its name: that of the recipe or its title, with more behind a comma, a colon or in brackets.
 * Several series of one rule share its color and differ in their dashes. Beside rules, the first other series is orange.
 *
 * @example
 * import { seriesStyles } from "turnwise/plot";
 * const [mine, grpo] = seriesStyles(["mine", "grpo"]);
 * mine!.color; // => "#D55E00"
 * grpo!.color === seriesStyles(["ppo", "GRPO"])[1]!.color; // => true
 */
export function seriesStyles(series: readonly string[]): readonly SeriesStyle[] {
  const rules = series.map(ruleOf);
  const ofRules = rules.map((rule) => (rule === undefined ? undefined : styles.get(rule)!));
  const taken = new Set(ofRules.map((style) => style?.color));
  if (rules.every((rule) => rule === undefined)) {
    return series.map((_, i) => ({
      color: seriesColors[i % seriesColors.length]!,
      dash: seriesDashes[i % seriesDashes.length]!,
    }));
  }
  const free = [orange, ...Object.values(hues)].filter((color) => !taken.has(color));
  const used = new Set<string>();
  const first = (color: string, dash: readonly number[]): SeriesStyle => {
    const unused = [dash, ...dashes].find((one) => !used.has(`${color} ${one.join()}`)) ?? dash;
    used.add(`${color} ${unused.join()}`);
    return { color, dash: unused };
  };
  // Rules come first, so that none of them loses its dash to a series that has none of its own.
  const found = new Map<number, SeriesStyle>();
  const ownDash = new Set<string>();
  ofRules.forEach((style, i) => {
    if (style === undefined || ownDash.has(rules[i]!)) return;
    ownDash.add(rules[i]!);
    found.set(i, first(style.color, style.dash));
  });
  let other = 0;
  return series.map((_, i) => {
    const known = found.get(i);
    if (known) return known;
    const style = ofRules[i];
    return style
      ? first(style.color, style.dash)
      : first(free[other % free.length]!, dashes[(4 + other++) % dashes.length]!);
  });
}
