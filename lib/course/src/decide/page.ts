import { displaySymbol } from "turnwise/internal/base/display";
import { bootstrapMean } from "turnwise/internal/base/interval";
import type { Drawing } from "turnwise/internal/plot/drawing";
import { storedRuns } from "../shared/echoTrap/stored";
import { comparisonsOf, plainRuns, smallest, type Comparison } from "./comparisons";
import {
  drawBootstrap,
  drawHalves,
  drawHolm,
  drawSeeds,
  drawSmallest,
  falseAlarm,
  meansOfFew,
  type Row,
} from "./figures";

const svgOf = (drawing: Drawing): string => String(drawing[displaySymbol]()["image/svg+xml"]);
const points = (x: number): string => String(Math.round(100 * x));

/** The page "How we decide" and its figures, by their paths, from `datasets/measured/echo-trap.csv`. */
export function decidePage(csv: string): Readonly<Record<string, string>> {
  const runs = storedRuns(csv);
  const finals = plainRuns(runs, "reuse");
  const reuse = comparisonsOf(runs, "reuse");
  const cost = comparisonsOf(runs, "cost");
  const row = (list: readonly Comparison[], fix: Comparison["fix"], name: string = fix): Row => ({
    name,
    comparison: list.find((one) => one.fix === fix)!,
  });
  const held = row(reuse, "SGD", "SGD, not Adam");
  const fives = meansOfFew(finals, 5);
  const { low, high } = bootstrapMean(finals).at(0.95);
  const alone = reuse.filter((one) => one.alone === "holds").length;
  const decided = reuse.filter((one) => one.decided === "holds").length;
  const figures = {
    seeds: drawSeeds(finals),
    bootstrap: drawBootstrap(finals),
    smallest: drawSmallest([
      held,
      row(cost, "clip-higher .28", "clip-higher, trap B"),
      row(reuse, "filter 25 %", "filter, 25% kept"),
      row(reuse, "entropy bonus .01", "entropy bonus .01"),
    ]),
    holm: drawHolm(reuse.length, held),
    halves: drawHalves([
      held,
      row(reuse, "clip penalty, KL", "clip penalty, KL"),
      row(reuse, "KL to reference .1, k3 of verl", "KL, k3 of verl"),
    ]),
  };
  const picture = (name: keyof typeof figures): string =>
    `![${figures[name].toString().replaceAll("\n", ". ").replaceAll(/[[\]]/g, "")}](how-we-decide/${name}.svg)`;
  const page = `# How we decide

Every lesson ends with a _ledger_: claims, measurements and a verdict. No verdict is written by hand: the five steps below compute it. The same code
draws the figures, from the runs of [lesson 04](../notebooks/04-echo-trap.ipynb): plain GRPO and ${String(reuse.length)} fixes in trap A, with
${String(finals.length)} seeds each.

## 1. Seeds

${picture("seeds")}

A _seed_ fixes a run's random draws. These runs differ in nothing else, and end anywhere between ${Math.min(...finals).toFixed(2)} and ${Math.max(...finals).toFixed(2)}. If you run five seeds, you may
report ${Math.min(...fives).toFixed(2)} or ${Math.max(...fives).toFixed(2)}. So each figure of the course shows its seeds as dots, and with fewer than five there is no verdict, only "too few
seeds".

## 2. An interval

${picture("bootstrap")}

How well is the mean known? The _bootstrap_ draws forty of the forty runs with replacement, takes the mean, and repeats this a thousand times. The middle of these
means is the interval: ${low.toFixed(2)} to ${high.toFixed(2)} (slightly wider than the middle 95%, since forty runs show a little less than the true spread). For the
difference between two rules, we use Welch's t interval. Diamonds are means, bars are intervals.

## 3. The smallest effect of interest

${picture("smallest")}

Before the runs, each lesson names the smallest effect that would matter: here, ${points(smallest)} points of success. Then the interval decides. All of it
above the band: the claim _holds_. All within the band: _no effect that matters_. All below zero: _refuted_. Anything else is _not shown_: these
runs leave the question open, which is not a "no".

## 4. Many comparisons

${picture("holm")}

If you try ${String(reuse.length)} useless fixes and judge each at 95%, the chance that at least one looks like a gain or a loss, if they are independent, is ${points(falseAlarm(reuse.length))}%. _Holm's procedure_ keeps the
chance at 5% for all of them together, independent or not: the clearest result must pass a test ${String(reuse.length)} times as strict, the next ${String(reuse.length - 1)} times as strict, and so on, up to the first that fails.
The ledger shows each interval at the level required of it.

## 5. Two halves

${picture("halves")}

In the largest studies, seeds 0 to 19 and seeds 20 to 39 must each give the same verdict. Judged one at a time and on all seeds, ${String(alone)} of the ${String(reuse.length)} fixes would
count as gains. After steps 4 and 5, ${String(decided)} do. The others may well help; these runs do not show it.

## Limits

No interval covers what the seeds have not shown. If one run in ten collapses, ten runs miss that one time in three. And everything here
is about small worlds: lesson 11 shows how far the results carry over.

The code is [\`turnwise/verdict\`](../lib/turnwise/src/verdict), and [lib/course/src](../lib/course/src/README.md#claims) has the rules in full. \`npm run generated\` renews this page.
`;
  return {
    "docs/how-we-decide.md": page,
    ...Object.fromEntries(
      Object.entries(figures).map(([name, drawing]) => [
        `docs/how-we-decide/${name}.svg`,
        `${svgOf(drawing)}\n`,
      ]),
    ),
  };
}
