import { markdownRow, markdownTable } from "../base/markdownTable";
import { recipeNames } from "../rule";
import type { CardChartOptions } from "./cardChart";
import { atCenter } from "./center";
import type { ReportCard } from "./card";
import { creditBench } from "./creditBench";
import { cardFigures, figureText, type CardRecord } from "./figures";
import { publishedCredit } from "./publishedCredit";
import { storedCardOptions } from "./stored";
import { figureNames, meanFigure, type Figure, type FigureName } from "./tally";
import { cardWorlds } from "./worlds";

/** The pictures of the page, by the name of their file. */
export const pagePictures: Readonly<Record<string, CardChartOptions>> = Object.freeze({
  gain: { figure: "gain" },
  expectedCosine: { figure: "expectedCosine" },
  falls: { figure: "falls" },
});

/** The records at which all axes have their first value, of a rule or of all. */
export function centerOf(card: ReportCard, row?: string): CardRecord[] {
  const isCenter = atCenter(card.records);
  return card.records.filter((record) => isCenter(record) && (row === undefined || record.row === row));
}

const overWorlds = (records: readonly CardRecord[], name: FigureName): Figure =>
  meanFigure(records.map((record) => record[name]));

const mainColumns: readonly (readonly [FigureName, number])[] = [
  ["bias", 2],
  ["expectedCosine", 3],
  ["signalToNoise", 2],
  ["cosine", 2],
  ["wrongSign", 2],
  ["wrongSignBatch", 2],
  ["gain", 2],
  ["falls", 3],
  ["ownChange", 4],
  ["ownFalls", 3],
];

/**
 * The page lib/turnwise/REPORT-CARD.md, from the stored card.
 *
 * @public
 */
export function reportCardPage(card: ReportCard): string {
  const worlds = [...new Set(card.records.map(({ world }) => world))];
  const measured = recipeNames.filter((row) => centerOf(card, row).length === worlds.length);
  const main = measured.map((row) => {
    const records = centerOf(card, row);
    return [
      `\`${row}\``,
      ...mainColumns.map(([name, digits]) => figureText(overWorlds(records, name), digits)),
    ];
  });
  const byWorld = measured.map((row) => {
    const records = centerOf(card, row);
    return [
      `\`${row}\``,
      ...worlds.flatMap((world) => {
        const record = records.find((one) => one.world === world)!;
        return [figureText(record.bias), figureText(record.scale, 2)];
      }),
    ];
  });
  const picture = (name: string): string =>
    `![${cardFigures[pagePictures[name]!.figure!].about}](report-card/${name}.svg)`;
  return `# The report card of every rule

What does one update of a rule have to do with the gradient of the expected return? On worlds so small that every trajectory can
be listed, this is no matter of opinion: the gradient, the return before and after an update, and, where the groups can be listed
too, the expectation and the variance of the update are exact. This page is written by \`npm run generated\` from
\`datasets/measured/report-card.jsonl\`; \`node datasets/measure-report-card.cjs\` measures that file again.

A rule of your own gets the same card in seconds, one with functions of your own included:

\`\`\`ts
import { recipe, reportCard } from "turnwise";

const card = await reportCard({ mine: recipe("grpo", { scale: "none" }), grpo: "grpo" });
card.chart({ figure: "bias" });
\`\`\`

## All recipes

Batches are one group of ${storedCardOptions.groupSizes[0]!}, fresh and with agreeing log-probs; means over ${worlds.length} worlds and ${storedCardOptions.seeds} policies in each, with standard errors.

${markdownTable(["recipe", ...mainColumns.map(([name]) => name)], main)}

${picture("gain")}

${picture("expectedCosine")}

${picture("falls")}

Orange is below 0, blue above. Each panel but the first goes along one axis while all others stay where the table is, and shows means over the worlds that have it.

## What each figure means

${markdownTable(
  ["figure", "what it is", "unit", "best"],
  figureNames.map((name) => [
    `\`${name}\``,
    escaped(cardFigures[name].about),
    escaped(cardFigures[name].unit),
    escaped(cardFigures[name].best),
  ]),
)}

The gradient part (\`scale\` to \`silent\`) is what the optimizer would get of the whole batch before its first step. The part about J
takes the whole update: every turn set of the order, every epoch and minibatch. The equal step has length ${0.25} in logits for all rules,
since learning rates are not part of a rule, and since at equal length no direction is steeper than the exact gradient's: a gain
of 1 is the best that a small step can do. The own step is one update with the optimizer that the rule names, fresh.

## How it is measured

| world | what it asks | turns |
| --- | --- | --- |
${cardWorlds.map(({ name, about, horizon, env }) => markdownRow([`\`${name}\``, about, String(horizon ?? env(1).spec.maxTurns)])).join("\n")}

- **Policies.** A table with logits drawn from a standard normal, ${storedCardOptions.seeds} of them, the same for all rules.
- **Steps since the rollout.** The batch is sampled, then the trainer's policy takes that many steps of length ${0.25} along the exact
  gradient; the rule gets the old batch and its old log-probs. The target is the gradient where the trainer is now.
- **Mismatch.** \`logProbNoise\` of \`train\`: the rollout's log-probs are off by heavy-tailed noise, its tokens are not.
- **Exact or sampled.** A group is enumerated if there are at most ${storedCardOptions.enumerate} of it and log-probs agree: figures then have no error. Elsewhere
  there are ${storedCardOptions.batches} batches for each policy, the same ones for all rules. Standard errors are the jackknife over twenty parts of them. Expected
  updates use RLOO's update of the same batch as a control, whose expectation is known exactly: what is not known is only how the
  rule differs from it. What a rule draws itself (minibatches, a random order) is drawn once for each batch.
- **Critics** know the value of every context under the policy that sampled. The card judges the rule, not how its critic learns.
- **References** of a divergence are the uniform policy. That a KL or entropy term shows as bias is what it is there for.
- **Dynamic sampling** (\`dapo\`) is judged on the batches that it keeps.

## Bias and scale by world

Errors only where batches were sampled.

${markdownTable(["recipe", ...worlds.flatMap((world) => [`${world}: bias`, "scale"])], byWorld)}

An estimate of a bias is never below 0, so where batches were sampled it is a little too large: read it beside its error.

## What may be concluded, and what not

- A bias of 0 means that many updates average to the gradient of J, up to a factor. It does not say that one update is good:
  see \`signalToNoise\` and \`falls\`.
- A bias above 0 need not hurt. A rule that divides by a standard deviation or by lengths follows another objective, whose gradient
  may have less noise; \`gain\` and \`falls\` tell the sum of both.
- After steps on an old batch, a clip takes from the expected update exactly the tokens that the policy has already moved the right
  way. What is left may point backwards (\`scale\` below 0): the clip brakes, as it is meant to. A narrow band, such as GSPO's, is used
  up by the first step. SAPO's soft gate and rules without a ratio keep their direction longest; \`seeUpoAuthors\` computes its old
  log-probs again, so that no step since the rollout is known to it.
- One step from a random policy is no training run. Adam's memory, exploration, shared parameters and everything that comes of
  repetition are not on this card; [the stored runs](../../datasets/README.md) are about these.
- Tables have a parameter for each action. With shared parameters, directions differ: give \`reportCard\` a world with your policy.
- Equal rows are equal here for a reason: with one token a turn, rules that differ in how tokens are pooled are the same.

## AgentCreditBench, as an outside check

[hectopascal/agent-credit-bench](https://github.com/hectopascal/agent-credit-bench) judges the advantage alone, on three processes that
are worlds of this card (\`delayed\`, \`recovery\`, \`stopOrGo\`). Its figures, as published at commit 02afaf3 (the report on validation: at 982bd15), beside ours:

${markdownTable(
  ["figure", "published", "here", "file"],
  publishedCredit.map(({ what, published, source, ours }) => [
    what,
    String(published),
    String(Number(ours().toPrecision(5))),
    source,
  ]),
)}

The first and the shares are exact on both sides; the others are means of samples there. Where ours is a sum over all groups, the
rest is their sampling.

Our advantages on these processes, in groups of four, all groups enumerated; a critic knows the values. The benchmark counts its
forced last STOP as a turn, we do not, so that \`rmse\` on \`stopOrGo\` is not its.

${markdownTable(
  ["process", "advantage", "rmse", "sign accuracy", "leakage", "cosine", "relative error", "gradient MSE"],
  creditBench().map((one) => [
    one.process,
    one.advantage,
    ...[one.rmse, one.signAccuracy, one.leakage, one.expectedCosine, one.relativeError, one.gradientMse].map(
      (x) => x.toFixed(3),
    ),
  ]),
)}

An advantage may be far from A and still give the exact gradient (\`return\`), and a scale is what a learning rate makes up for: of the
last three columns the cosine tells the direction. GAE with lambda 0 and an exact critic is the advantage itself where the world
leaves nothing to chance.
`;
}

/** Bars stand for norms here, not for the walls of a table. */
const escaped = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

/**
 * The text of src/rule/measuredUpdates.ts: a line of the card for each recipe.
 *
 * @public
 */
export function measuredUpdates(card: ReportCard): string {
  const lines = recipeNames.flatMap((row) => {
    const records = centerOf(card, row);
    if (records.length === 0) return [];
    const mean = (name: FigureName): string => overWorlds(records, name).value.toFixed(2);
    return [
      `  ${row}: { bias: ${mean("bias")}, cosine: ${mean("cosine")}, gain: ${mean("gain")}, falls: ${mean("falls")} },`,
    ];
  });
  return [
    "/**",
    " * Means over the worlds of the report card, from datasets/measured/report-card.jsonl. Written by `npm run generated`.",
    " */",
    "export const measuredUpdates: Readonly<",
    "  Partial<Record<string, { readonly bias: number; readonly cosine: number; readonly gain: number; readonly falls: number }>>",
    "> = {",
    ...lines,
    "};",
    "",
  ].join("\n");
}
