import { short } from "turnwise/internal/base/curve";
import { path } from "turnwise/internal/base/host/index";
import type { Census } from "../census";
import type { ReportParts } from "../parts";
import type { ReadRollouts } from "../read";
import type { RuleCredit } from "../rollouts/credit";
import type { LossMask } from "../rollouts/lossMask";
import type { MaskCheck } from "../rollouts/maskCheck";
import type { Section } from "./section";

type Line = string | readonly [term: string, text: string];

const percent = (share: number): string => `${Math.round(100 * share)}%`;

/** The ways in which rollouts below the highest reward failed. */
function failureLines({ failures: f }: Census): readonly Line[] {
  if (f.all === 0) return [];
  const ways: readonly (readonly [number, string])[] = [
    [f.cut, "were cut"],
    [f.noAnswer, "gave no answer"],
    [f.loop, "said the same three times"],
    [f.toolErrors, "met an error of a tool"],
    [f.noTool, "called no tool, where others did"],
    [f.wrong, "answered, and not well enough"],
  ];
  const found = ways.filter(([count]) => count > 0).sort((a, b) => b[0] - a[0]);
  return [
    [
      "failures",
      `of ${f.all} below the highest reward, ${found.map(([count, what]) => `${count} ${what}`).join("; ")} (each counted once)`,
    ],
  ];
}

const checks: readonly (readonly [name: keyof Omit<LossMask, "isStored">, what: string, title: string])[] = [
  ["otherRoles", "tokens are another role's text", "whether tokens of tools are trained"],
  ["missingEnds", "turns lack the token that ends the others", "whether the ends of turns are trained"],
  ["respelled", "turns have tokens that do not spell their message", "whether text was tokenized again"],
  ["padded", "tokens are padding after the end of an answer", "whether padding is trained"],
  [
    "misaligned",
    "tokens have a mask or a log-prob of another token",
    "whether log-probs belong to their tokens",
  ],
  [
    "drifted",
    "answers have other tokens in the trainer than in the engine",
    "whether the trainer has the engine's tokens",
  ],
];

/** The loss mask, as far as the file shows it. */
function maskLines({ mask }: Census): readonly Line[] {
  const lines = checks.flatMap(([name, what]): string[] => {
    const check: MaskCheck = mask[name];
    if ("why" in check) return [];
    const { checked, found, example, where: place } = check;
    if (found === 0) return [`none of ${checked} ${what}`];
    const where =
      (example === undefined ? "" : `, first in ${example}`) +
      (place === undefined || place === "" ? "" : `, ${place}`);
    const means =
      name !== "otherRoles" && name !== "padded"
        ? ""
        : mask.isStored
          ? ": the stored mask trains them"
          : ": the file holds no mask, and they are trained unless the trainer's own leaves them out";
    return [`${found} of ${checked} ${what} (${percent(found / checked)}${where})${means}`];
  });
  return lines.length === 0 ? [] : [["loss mask", lines.join("; ")]];
}

/** Unknowns about the loss mask, each with the reason. */
export function maskUnknown({ mask }: Census): readonly string[] {
  return checks.flatMap(([name, , title]) => {
    const check: MaskCheck = mask[name];
    return "why" in check ? [`${title} is not known: ${check.why}`] : [];
  });
}

function ruleInWords(
  { rule, isOwn, pushed, like, turns, longerHalf, kinds, as }: RuleCredit,
  first: string,
  several: boolean,
): string {
  const name = `${rule}${isOwn ? " (this run's)" : ""}`;
  if (as !== undefined) return `${name}: as ${as}, times a factor`;
  if (pushed === 0) return `${name}: pushes no token`;
  const severalTurns = turns.first + turns.between > 0;
  const parts = [
    `pushes ${percent(pushed)} of the tokens`,
    ...(severalTurns
      ? [`first turns get ${percent(turns.first)} of the credit, last ones ${percent(turns.last)}`]
      : []),
    ...(turns.between > 0 ? [`those between ${percent(turns.between)}`] : []),
    ...(longerHalf === undefined ? [] : [`the longer half of the rollouts ${percent(longerHalf)}`]),
    ...(several ? Object.entries(kinds).map(([kind, share]) => `${kind} ${percent(share)}`) : []),
    ...(like === undefined || rule === first ? [] : [`${like.toFixed(2)} like ${first}`]),
  ];
  return `${name}: ${parts.join("; ")}`;
}

/** The credit of the run's rule and of others. */
function creditLines(credit: ReadRollouts["credit"]): readonly Line[] {
  if (credit === undefined || "why" in credit) return [];
  const kinds = Object.entries(credit.kinds);
  const several = kinds.length > 1;
  const [first] = credit.rules;
  return [
    [
      "credit",
      `of ${credit.trajectories} rollouts with ${credit.tokens} tokens` +
        (several ? `, of which ${kinds.map(([kind, share]) => `${percent(share)} ${kind}`).join(", ")}` : ""),
    ],
    ...credit.rules.map((one): Line => ["", ruleInWords(one, first!.rule, several)]),
    ...credit.skipped.map(({ rule, why }): Line => ["", `${rule} was not tried: ${why}`]),
    ...(credit.differ === undefined
      ? []
      : credit.differ.episodes.map(({ id, group, reward, turns, tokens, shares, says }): Line => [
          "",
          `${first!.rule} and ${credit.differ!.rule} differ most in ${id} (group ${group}, reward ${short(reward)}, ${turns} turns, ${tokens} tokens): ` +
            `${percent(shares[0])} and ${percent(shares[1])} of their credit${says === undefined ? "" : `; it ends "${says}"`}`,
        ])),
  ];
}

/** The rollouts of a run: their groups, how they fail, what is trained, and where the rule puts credit. */
export function rolloutsSection({ view }: ReportParts): Section {
  return {
    title: "Rollouts",
    lines: view.rollouts
      .slice(0, 6)
      .flatMap(({ guess, census: c, credit }): Section["lines"] => [
        [
          path.basename(guess.path),
          `${c.trajectories} in ${c.groups} groups: ${c.allFailed} all failed, ${c.allSolved} all solved, ${c.equal} equal in between, ${c.mixed} mixed, ${c.alone} alone. ` +
            `Reward ${short(c.reward.mean)} (${short(c.reward.least)} to ${short(c.reward.most)}), ${short(c.turns)} turns. ` +
            (c.lengthOfBetter === undefined || c.lengthOfWorse === undefined
              ? ""
              : `Better ones have ${short(c.lengthOfBetter)} tokens, worse ones ${short(c.lengthOfWorse)}. `) +
            `Cut ${percent(c.truncated)}, empty ${percent(c.empty)}, the same three times ${percent(c.loops)}, call a tool ${percent(c.callTools)}, hear of an error ${percent(c.toolErrors)}. ` +
            `Pass at ${c.passAtK.map(([k, share]) => `${k}: ${short(share)}`).join(", ")}.`,
        ],
        ...failureLines(c),
        ...maskLines(c),
        ...creditLines(credit),
      ]),
  };
}
