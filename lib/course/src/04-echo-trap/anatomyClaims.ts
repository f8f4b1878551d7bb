import { bootstrapInterval } from "turnwise/internal/base/interval";
import { mean, median } from "turnwise/internal/base/statistics";
import type { Claim } from "turnwise/internal/plot/index";
import { shown, type Gap } from "turnwise/internal/verdict/words";
import { gain, share, shareGain, type SeedValue } from "turnwise/internal/verdict/effect";
import { verdict, type Condition } from "turnwise/internal/verdict/verdict";
import { collapsePhase } from "./collapsePhase";
import { echoTrapEffects } from "../shared/echoTrap/effects";
import { eventOrder, type EventOrder, type LookingBack } from "./eventOrder";
import { inBothHalves } from "../shared/inBothHalves";
import { cellOf, onesOf, valuesOf } from "../shared/echoTrap/leverEffect";
import type { StoredRun } from "../shared/echoTrap/stored";
import { traps, type TrapName } from "../shared/echoTrap/traps";

const names = { sane: "sane", reuse: "A", cost: "B", mismatch: "C" } as const;
type Setting = keyof typeof names;
const settings = Object.keys(names) as Setting[];

const vanillaOf = (runs: readonly StoredRun[], trap: TrapName): readonly StoredRun[] =>
  cellOf(runs, trap, "vanilla");
const success = (gap: Gap): string => shown(gap, 2);

/** The three traps, the order of events in trap A, and what marks a run that falls. */
export function anatomyClaims(runs: readonly StoredRun[]): Claim[] {
  const order = eventOrder(vanillaOf(runs, "reuse"));
  return [
    collapses(runs),
    fails(runs),
    firstToFall(order),
    comesBefore(order),
    irreversible(order),
    spikes(runs),
  ];
}

/** Collapse by learning rate and reuse, and in the settings that differ in more than these. */
function collapses(runs: readonly StoredRun[]): Claim {
  const phase = collapsePhase(runs).map(({ learningRate, steps, collapsed, runs: of }) => ({
    ...{ setting: { trap: "A", learningRate, steps }, collapsed, of },
    name: `A, learning rate ${learningRate}, ${steps} steps on a batch`,
  }));
  const others = (["sane", "cost", "mismatch"] as const).map((trap) => {
    const own = vanillaOf(runs, trap);
    const { epochs, minibatches, optimizer } = traps[trap];
    return {
      setting: { trap: names[trap], learningRate: optimizer.learningRate, steps: epochs * minibatches },
      collapsed: own.filter((run) => run.collapsed).length,
      of: own.length,
      name: names[trap],
    };
  });
  const all = [...phase, ...others].filter(({ of }) => of > 0);
  return {
    claim: "Multi-turn GRPO collapses into an echo trap: it rises, and ends below 75 % of its best",
    source: "RAGEN, Finding 2 [P]",
    measured:
      all
        .filter(({ collapsed, setting }) => collapsed > 0 || setting.trap !== "A")
        .map(({ name, collapsed, of }) => `${name}: ${collapsed} of ${of}`)
        .join("; ") + `; ${all.length} settings in all, with 0 in the others`,
    verdict: verdict({
      conditions: all.map(({ setting, collapsed, of }) => ({ setting, effect: share(collapsed, of) })),
      smallestEffectOfInterest: echoTrapEffects.share,
    }),
  };
}

/** In B and C success may never rise, so that nothing falls. */
function fails(runs: readonly StoredRun[]): Claim {
  const finals = (trap: Setting): SeedValue[] => valuesOf(vanillaOf(runs, trap), ({ final }) => final);
  const end = (trap: Setting): string => {
    const own = vanillaOf(runs, trap);
    const low = own.filter(({ final }) => final < 0.5).length;
    return `${names[trap]} ${success(bootstrapInterval(own.map(({ final }) => final)))} (${low} of ${own.length} below .5)`;
  };
  return {
    claim:
      "Heavy reuse under Adam, a cost under group std, or log-probs that disagree keep GRPO from solving what it solves",
    source: "this notebook",
    measured: `final success: ${settings.map(end).join(", ")}`,
    verdict: verdict({
      conditions: (["reuse", "cost", "mismatch"] as const).map((trap) => ({
        setting: { trap: names[trap] },
        effect: inBothHalves(finals("sane"), finals(trap), gain),
      })),
      smallestEffectOfInterest: echoTrapEffects.success,
    }),
  };
}

function firstToFall({ events, entropyFirst, stdFirst, together, runs }: EventOrder): Claim {
  const at = (event: string): number => events.find((e) => e.event === event)?.median ?? NaN;
  const told = entropyFirst + stdFirst;
  return {
    claim: "In-group std falls first, entropy next",
    source: "RAGEN, Fig. 6 caption [P]",
    measured:
      `trap A: std below .05 at update ${at("stdCliff")}, entropy below 25 % at ${at("entropyCliff")} (medians); ` +
      `std first in ${stdFirst} of ${runs}, entropy first in ${entropyFirst}, at the same update in ${together}`,
    verdict: verdict({
      // Half of the runs in which one is first: no order at all.
      ...(told === 0 ? { found: 0, searched: runs } : { effect: share(stdFirst, told, 0.5) }),
      smallestEffectOfInterest: echoTrapEffects.share,
    }),
  };
}

/** Difference between the share of falls and of other stretches right after an event, run by run. */
function comesBefore({ fell, burst, spike }: EventOrder): Claim {
  const signals = [
    { signal: "KL above .5 nats", seen: burst },
    { signal: "gradient 3 times its mean", seen: spike },
  ];
  const text = ({ signal, seen }: { signal: string; seen: LookingBack }): string => {
    const own = seen.pairs.length === 0 ? NaN : mean(seen.pairs.map(({ base }) => base));
    return (
      `${signal} in the 10 updates before ${seen.before} of ${fell} drops; in ${percent(own)} of such stretches before none ` +
      `in the same runs, ${percent(seen.base)} in all runs`
    );
  };
  const conditions = signals.flatMap(({ signal, seen: { pairs } }): Condition[] =>
    pairs.length < 2
      ? []
      : [
          {
            setting: { signal },
            effect: gain(
              pairs.map(({ before }) => before),
              pairs.map(({ base }) => base),
              { paired: true },
            ),
          },
        ],
  );
  return {
    claim: "A burst comes right before the fall, more often than before none",
    source: "RAGEN, Finding 2 [P], of the gradient norm",
    measured: `trap A: ${signals.map(text).join("; ")}`,
    verdict: verdict({
      ...(conditions.length === 0 ? { found: 0, searched: fell } : { conditions }),
      smallestEffectOfInterest: echoTrapEffects.share,
    }),
  };
}

function irreversible({ fell, recovered }: EventOrder): Claim {
  return {
    claim: "The fall is irreversible",
    source: "RAGEN, Finding 2 [P]",
    measured: `trap A: of ${fell} runs that fell, ${recovered} ended above 75 % of their peak`,
    verdict: verdict({
      counterexamples: recovered,
      searched: fell,
      smallestEffectOfInterest: echoTrapEffects.share,
    }),
  };
}

/** Whether runs that fall have larger gradients somewhere than runs that do not. */
function spikes(runs: readonly StoredRun[]): Claim {
  const norms = (trap: TrapName): number[] => vanillaOf(runs, trap).map(({ maxGradNorm }) => maxGradNorm);
  const typical = (trap: TrapName): string => median(norms(trap)).toPrecision(2);
  const largest = (trap: TrapName): string => Math.max(...norms(trap)).toPrecision(2);
  const limit = 10 * median(norms("sane"));
  const split = (["reuse", "mismatch"] as const).map((trap) => {
    const isSpike = ({ maxGradNorm }: StoredRun): number => (maxGradNorm > limit ? 1 : 0);
    const own = vanillaOf(runs, trap);
    const fell = own.filter(({ fall }) => fall !== null).map(isSpike);
    const held = own.filter(({ fall }) => fall === null).map(isSpike);
    return { trap, fell, held };
  });
  const told = split.filter(({ fell, held }) => fell.length > 0 && held.length > 0);
  const count = (values: readonly number[]): string => `${onesOf(values).count} of ${values.length}`;
  return {
    claim: "A gradient spike marks the runs that fall",
    source: "RAGEN, section 4.3 [P]",
    measured:
      `largest gradient norm, median (maximum): A ${typical("reuse")} (${largest("reuse")}), ` +
      `C ${typical("mismatch")} (${largest("mismatch")}), sane ${typical("sane")}; above ten times the sane median: ` +
      split
        .map(({ trap, fell, held }) => `${names[trap]} ${count(fell)} that fell, ${count(held)} others`)
        .join("; "),
    verdict: verdict({
      ...(told.length === 0
        ? { found: 0, searched: split.length }
        : {
            conditions: told.map(({ trap, fell, held }) => ({
              setting: { trap: names[trap] },
              effect: shareGain(onesOf(fell), onesOf(held)),
            })),
          }),
      smallestEffectOfInterest: echoTrapEffects.share,
    }),
  };
}

const percent = (x: number): string => (Number.isNaN(x) ? "none" : `${(100 * x).toFixed(0)} %`);
