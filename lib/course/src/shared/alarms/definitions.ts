import { ladderedRules, type LadderedRule, type WarningWindow } from "turnwise/internal/monitor/index";
import type { Trap } from "../echoTrap/traps";

/**
 * Definition of "an alarm predicts a fall". All of it was fixed in a commit before the first of the confirming seeds
 * was run; `04-echo-trap/alarms/README.md` names the commit.
 *
 * **Where.** Trap A with three learning rates and numbers of steps per batch. Pilot runs on seeds 900 to 919, which are used
 * for nothing else, had chosen them because about half of their runs fall and half survive.
 *
 * **Outcomes.** A run *rose* if the mean success of 10 updates was above .6. It *fell* if that mean was later below 75% of its
 * best (`fallOf`); the *onset* is the first of those 10 updates whose own success is below 75% of the best. A *survivor* rose
 * and did not fall in 500 updates. Runs that never rose are neither.
 *
 * **Warning.** An alarm warns of a fall if it is up at one of the 25 updates before the onset. From the onset on it recognizes a
 * fall, which is no warning. A false alarm is an alarm that is up in the same 25 updates of a survivor of the same setting: every
 * fall is compared with every survivor in its own window, so age and setting tell nothing.
 *
 * **By run.** For each threshold of an alarm's ladder: sensitivity (share of falls warned of), false alarms (share of survivors,
 * averaged over the windows). AUC: how often the fall's level is above that of the survivor, ties counted half. Its smallest
 * effect of interest is .1 above .5, that of sensitivity minus false alarms .1 (`effects.ts` next to it). The nine alarms are one family,
 * corrected by Holm's procedure.
 *
 * **By update.** At each update at which a run is at risk (it rose, the onset lies ahead), the question is whether the onset
 * follows within 25 updates. *Precision*: in which share of the updates at which an alarm is up it does. *Base rate*: in which
 * share of all runs of the same setting that are at risk at the same update it does. A survivor's last 25 updates are left
 * out, as their answer is not known.
 *
 * **Lead.** Updates from the first one in the window at which the alarm is up to the onset, for falls that it warns of. *Early*
 * is a warning 25 to 10 updates before the onset; AUC is computed for that window as well.
 *
 * **Thresholds.** Chosen on the first half of the seeds: the one that warns of most falls with at most 10% false alarms.
 * Everything that is said of an alarm is measured on the other half.
 *
 * **Controls.** An alarm that goes off at random updates, one that knows only how old the run is, and one that looks at success
 * itself: how far it is below its best. The first two must have an AUC of .5. An alarm that is no better than the third
 * adds nothing to the curve that everybody looks at.
 */
export const warningWindow: WarningWindow = Object.freeze({ horizon: 25, lead: 1, warmUp: 10 });
/** The same for an alarm that is to leave ten updates to act in. */
export const earlyWindow: WarningWindow = Object.freeze({ ...warningWindow, lead: 10 });

const adam = (learningRate: number): Trap["optimizer"] => ({ kind: "adam", learningRate });

/** Trap A with other learning rates and numbers of steps per batch, by name. */
export const alarmSettings = Object.freeze({
  "Adam .2, 24 steps": { optimizer: adam(0.2), epochs: 6, minibatches: 4 },
  "Adam .3, 16 steps": { optimizer: adam(0.3), epochs: 4, minibatches: 4 },
  "Adam .5, 8 steps": { optimizer: adam(0.5), epochs: 2, minibatches: 4 },
}) satisfies Readonly<Record<string, Partial<Trap>>>;

/** The name of a setting in which alarms are judged. */
export type AlarmSetting = keyof typeof alarmSettings;

/** Seeds of every setting; thresholds are chosen on those below `confirmFrom`, and judged on the others. */
export const alarmSeeds = Object.freeze({ from: 1000, confirmFrom: 1080, to: 1160 });

const itself: LadderedRule = Object.freeze({
  name: "success itself",
  signal: "successShare",
  direction: "below",
  patience: 1,
  ladder: Object.freeze([0.99, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4]),
});

/** Rules recorded of every run: the monitor's nine alarms, and success itself as a control. */
export const watchedRules: readonly LadderedRule[] = Object.freeze([...ladderedRules, itself]);

/** The alarms that are judged as one family. */
export const alarmNames: readonly string[] = Object.freeze(ladderedRules.map(({ name }) => name));

/** The random alarm is up at an update with these probabilities, from the most to the least sensitive. */
export const randomLadder = Object.freeze([0.2, 0.1, 0.05, 0.02, 0.01, 0.005]);
/** The alarm that knows only the clock is up until these updates. */
export const clockLadder = Object.freeze([400, 300, 200, 100, 50, 25]);
