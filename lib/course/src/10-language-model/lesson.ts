import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Claim } from "turnwise/internal/plot/ledger";
import { pairedInterval } from "turnwise/internal/monitor/index";
import { measured } from "../shared/measured";
import { above, gain, share, type Effect } from "turnwise/internal/verdict/effect";
import { verdict } from "turnwise/internal/verdict/verdict";
import { shown } from "turnwise/internal/verdict/words";
import { alarmAreas, comparedAlarms } from "../shared/languageRuns/alarmAreas";
import { finalsOf, runsWith } from "../shared/languageRuns/runsOf";
import { storedSamplerRuns } from "./samplerRun";
import { samplerClaims } from "./samplerStudy";
import { storedLanguageRuns, type StoredLanguageRun } from "../shared/languageRuns/stored";

/** Smallest effects for which a reader would change a training run: success from 0 to 1, shares of runs, areas under a ROC curve. */
const smallest = Object.freeze({ success: 0.1, share: 0.1, area: 0.1 });

/** Success that nobody reaches who guesses: one of four names, or one of five residues and some answers by heart. */
const noGuess = 0.5;

const source = "this lesson";
const success = (values: readonly number[]): string => shown(bootstrapInterval(values), 2);

/** The ledger of the lesson on language models, from `datasets/measured/language-model.csv` and `language-sampler.csv`. */
export function languageModelLesson(): Claim[] {
  const [tool, shown, rounded, ...others] = languageModelClaims(
    storedLanguageRuns(measured("language-model")),
  );
  const { cause } = samplerClaims(storedSamplerRuns(measured("language-sampler")));
  return [tool!, shown!, rounded!, cause, ...others];
}

/** The claims about small language models, decided on stored runs. */
export function languageModelClaims(runs: readonly StoredLanguageRun[]): Claim[] {
  return [tools(runs), unshown(runs), rounding(runs), reuse(runs), ...alarms(runs)];
}

const taught = [
  { world: "calculator", skill: 0.3, name: "calculator .3" },
  { world: "searchQa", skill: 0.5, name: "search .5" },
  { world: "searchQa", skill: 0.8, name: "search .8" },
] as const;

/** Both rules, with both tools, where demonstrations hint at their use: one family. */
function tools(runs: readonly StoredLanguageRun[]): Claim {
  const rules = { grpo: "GRPO", seeUpo: "SeeUPO" } as const;
  const all = (Object.keys(rules) as (keyof typeof rules)[]).flatMap((rule) =>
    taught.map(({ world, skill, name }) => ({
      rule: rules[rule],
      name,
      own: runsWith(runs, { world, skill, rule }),
    })),
  );
  return {
    claim: "Reward teaches a tool's use that demonstrations hint at: half of all tasks are solved",
    source,
    measured: `success by skill, ${all
      .map(
        ({ rule, name, own }) =>
          `${rule} ${name}: from ${success(own.map(({ start }) => start))} to ${success(finalsOf(own))}`,
      )
      .join("; ")}`,
    verdict: verdict({
      conditions: all.map(({ rule, name, own }) => ({
        setting: { rule, skill: name },
        effect: above(finalsOf(own), noGuess),
      })),
      smallestEffectOfInterest: smallest.success,
    }),
  };
}

function unshown(runs: readonly StoredLanguageRun[]): Claim {
  const rules = ["grpo", "seeUpo"] as const;
  const ends = (rule: (typeof rules)[number]): number[] =>
    finalsOf(runsWith(runs, { world: "calculator", skill: 0, rule }));
  return {
    claim: "Reward finds the use of a tool that no demonstration shows: half of all tasks are solved",
    source,
    measured: `calculator, skill 0: GRPO ${success(ends("grpo"))}, SeeUPO ${success(ends("seeUpo"))}`,
    verdict: verdict({
      conditions: rules.map((rule) => ({ setting: { rule }, effect: above(ends(rule), noGuess) })),
      smallestEffectOfInterest: smallest.success,
    }),
  };
}

function rounding(runs: readonly StoredLanguageRun[]): Claim {
  const ends = (bits: number): number[] =>
    finalsOf(runsWith(runs, { world: "calculator", skill: 0.3, rule: "grpo", bits }));
  const tried = [8, 4, 3, 2];
  return {
    claim: "A sampler with rounded weights keeps GRPO from learning the tool",
    source,
    measured: [0, ...tried]
      .map((bits) => `${bits === 0 ? "exact" : `${bits} bits`} ${success(ends(bits))}`)
      .join(", "),
    verdict: verdict({
      conditions: tried.map((bits) => ({ setting: { bits }, effect: gain(ends(0), ends(bits)) })),
      smallestEffectOfInterest: smallest.success,
    }),
  };
}

function reuse(runs: readonly StoredLanguageRun[]): Claim {
  const settings = [false, true].map((heavy) => {
    const own = runsWith(runs, { world: "calculator", skill: 0.3, rule: "grpo", reuse: heavy });
    return { steps: heavy ? 24 : 2, of: own.length, fell: own.filter(({ fall }) => fall !== null).length };
  });
  return {
    claim: "Many steps on each batch make a network rise and fall, as they do a table",
    source: "lesson 04",
    measured: settings.map(({ steps, of, fell }) => `${steps} steps: ${fell} of ${of} fall`).join(", "),
    verdict: verdict({
      conditions: settings.map(({ steps, of, fell }) => ({ setting: { steps }, effect: share(fell, of) })),
      smallestEffectOfInterest: smallest.share,
    }),
  };
}

function alarms(runs: readonly StoredLanguageRun[]): Claim[] {
  const found = alarmAreas(runs);
  if (found === undefined) return [];
  const gap = (alarm: string): Effect => {
    const paired = found.beyondSuccess[alarm]!;
    return {
      mean: paired.mean,
      n: Math.min(paired.falls, paired.survivors),
      method: "DeLong's error",
      at: (level) => pairedInterval(paired, { level, range: [-1, 1] }),
    };
  };
  const area = (alarm: string): string => {
    const paired = found.area[alarm]!;
    return `${alarm} ${shown({ mean: paired.mean, ...pairedInterval(paired) }, 2)}`;
  };
  return [
    {
      claim: "An alarm tells more of a network's coming fall than success itself",
      source: "lesson 04",
      measured: `AUC, ${found.falls} falls and ${found.survivors} survivors: ${["success itself", ...comparedAlarms].map(area).join(", ")}`,
      verdict: verdict({
        conditions: comparedAlarms.map((alarm) => ({ setting: { alarm }, effect: gap(alarm) })),
        smallestEffectOfInterest: smallest.area,
      }),
    },
  ];
}
