// Uses internals of turnwise/base, turnwise/rule.
import { markdownTable as table } from "turnwise/internal/base/markdownTable";
import { betweenMarkers } from "turnwise/internal/base/betweenMarkers";
import { recipeNames } from "turnwise";
import { isCustom } from "turnwise/internal/rule/custom/custom";
import { deviations, worst, type Deviation, type Part } from "./compare.js";
import { comparisons, estimates, pieces, unreleased, type Comparison, type Penalty } from "./comparisons.js";
import { fixture, stored } from "./fixture.js";

/** Below this, ours and theirs are the same numbers. */
export const same = 1e-12;

/** The parts that are compared. */
export function partsOf({ parts }: Comparison, deviation: Deviation): readonly Part[] {
  const all: Part[] = ["advantage", "loss", "gradient"];
  return parts ?? (deviation.carry === undefined ? all : [...all, "carry"]);
}

/** The worst of all batches that the row does not refuse. */
function worstOf(comparison: Comparison, as: "it stands" | "stated"): Deviation {
  const found = [...deviations(comparison, as).values()];
  return worst(found.filter((one): one is Deviation => !(one instanceof Error)));
}

/** In one digit: the last ones differ from engine to engine. */
function distance(comparison: Comparison, deviation: Deviation): string {
  const apart = partsOf(comparison, deviation).filter((part) => deviation[part]! >= same);
  return apart.map((part) => `${part} ${deviation[part]!.toExponential(0)}`).join(", ") || "< 1e-12";
}

/** The fields that are set, each by its path; the choice itself is at the path of its field. */
function fieldsOf({ fields }: Comparison): string {
  const leaves = (value: object, path: string): string[] =>
    Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
      const own = key === "kind" ? path : path === "" ? key : `${path}.${key}`;
      return typeof inner === "object" && inner !== null && !isCustom(inner)
        ? leaves(inner, own)
        : [`\`${own}: ${String(inner)}\``];
    });
  return leaves(fields ?? {}, "").join(", ");
}

function differencesOf({ differences = [] }: Comparison): string {
  return differences
    .map(({ what, at }) => (at === undefined ? what : `${what} (${fixture.lines[at] ?? at})`))
    .join("; ");
}

/** `verl: GSPO, old` and `verl: GSPO, near` are one line. */
const titleOf = ({ case: name }: Comparison): string => name.replace(/, (old|near|fours|far)$/, "");

function releaseOf(name: string): string {
  const { version, commit } = fixture.sources[name]!;
  return version ?? commit!.slice(0, 7);
}

/** One line of the printed table: comparisons that differ in their batches alone, together. */
interface Line {
  readonly first: Comparison;
  readonly release: string;
  readonly asItStands: string;
  readonly then: string;
}

function linesOf(list: readonly Comparison[]): Line[] {
  const lines = new Map<string, Comparison[]>();
  for (const one of list) {
    const key = JSON.stringify([one.row, titleOf(one), differencesOf(one), one.parts]);
    lines.set(key, [...(lines.get(key) ?? []), one]);
  }
  return [...lines.values()].map((together) => {
    const first = together[0]!;
    const [name, ...of] = titleOf(first).split(": ");
    const worstAs = (as: "it stands" | "stated"): string =>
      distance(first, worst(together.map((one) => worstOf(one, as))));
    return {
      first,
      release: `${name!} ${releaseOf(stored(first.case).source)}: ${of.join(": ")}`,
      asItStands: worstAs("it stands"),
      then: worstAs("stated"),
    };
  });
}

function rowTable(list: readonly Comparison[]): string {
  return table(
    ["row", "release", "as it stands", "with the fields", "then", "the released code"],
    linesOf(list).map(({ first, release, asItStands, then }) => [
      `\`${first.row}\``,
      release,
      first.differs ? `**differs**: ${asItStands}` : asItStands,
      fieldsOf(first),
      then,
      differencesOf(first),
    ]),
  );
}

function pieceTable(list: readonly Comparison[]): string {
  return table(
    ["release", "fields of `grpo`", "distance", "the released code"],
    linesOf(list).map(({ first, release, then }) => [release, fieldsOf(first), then, differencesOf(first)]),
  );
}

/** The penalty's field without its coefficient. */
const penaltyOf = ({ fields }: Comparison): string => {
  const regularizer = fields?.regularizer as { readonly klReference: Penalty | null } | undefined;
  const { coef: _, ...kl } = regularizer?.klReference ?? {};
  const written = Object.entries(kl).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return written.length === 0 ? "" : `\`{ ${written.join(", ")} }\``;
};

function estimateTable(list: readonly Comparison[]): string {
  return table(
    ["release", "what", "`klReference`", "distance", "the released code"],
    linesOf(list).map(({ first, release, then }) => [
      release,
      (first.parts ?? []).join(" and "),
      penaltyOf(first),
      then,
      differencesOf(first),
    ]),
  );
}

/** What was run: where it is from, and the SHA-256 of each file, in eight digits. */
function releases(): string {
  return table(
    ["release", "from", "files (SHA-256)"],
    Object.entries(fixture.sources).map(([name, { from, version, commit, files }]) => [
      name,
      version === undefined ? `github.com/${from} at ${commit!}` : `${from}, version ${version}`,
      Object.entries(files)
        .map(([path, digest]) => `${path} (${digest.slice(0, 8)})`)
        .join(", "),
    ]),
  );
}

/** The conformance table as Markdown. */
export function conformanceTable(): string {
  const missing = recipeNames.filter((name) => name in unreleased);
  return [
    "### Rows",
    rowTable(comparisons),
    `Without released code: ${missing.map((name) => `\`${name}\` (${unreleased[name]!})`).join(", ")}.`,
    "### Advantages and losses by themselves",
    pieceTable(pieces),
    "### Estimates of a divergence",
    "Alone in the loss, with coefficient 1 and the mean over tokens, on log-ratios of up to 25 nats.",
    estimateTable(estimates),
    "### Releases",
    releases(),
  ].join("\n\n");
}

/**
 * The text with the table between its markers replaced by the present one.
 *
 * @public
 */
export const withConformanceTable = (text: string): string =>
  betweenMarkers(text, "conformance", conformanceTable());
