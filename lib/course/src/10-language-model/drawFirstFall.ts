import { courseOf, SignalTracker } from "turnwise/internal/monitor/index";
import { anatomyChart } from "turnwise/internal/plot/anatomyChart";
import type { Chart } from "turnwise/internal/plot/chart";
import { train, type TrainRecord } from "turnwise/internal/train/index";
import { languageRecipe, languageStart, languageWorld } from "./languageRun";
import { recordsOf } from "./recordsOf";
import { runsWith } from "../shared/languageRuns/runsOf";
import type { StoredLanguageRun } from "../shared/languageRuns/stored";

/** So many updates are trained after a fall. */
const AFTERWARDS = 80;

/**
 * Trains the first stored model that fell under heavy reuse again, until some time after its fall, and draws its success, its
 * unearned silence and its entropy.
 *
 * Its bits, and so its fall, are those of the fused kernels without relaxed SIMD; on other engines it is another run.
 *
 * @throws {RangeError} if no stored run fell
 */
export async function drawFirstFall(
  runs: readonly StoredLanguageRun[],
  { updates = Infinity } = {},
): Promise<Chart> {
  const fell = runsWith(runs, { reuse: true }).find(({ fall }) => fall !== null);
  if (fell === undefined) {
    throw new RangeError("Cannot train the first fall again: a stored run must have fallen.");
  }
  const env = languageWorld(fell.world);
  const policy = await languageStart(env, fell);
  const { seed, fall } = fell;
  const last = Math.min(updates, fall! + AFTERWARDS);
  return drawn(await recordsOf(train({ env, policy, recipe: languageRecipe(fell), updates: last, seed })));
}

/** With the onset of the fall, if there is one. */
function drawn(records: readonly TrainRecord[]): Chart {
  const tracker = new SignalTracker();
  const signals = records.map((record) => tracker.next(record));
  const { onset } = courseOf(signals.map(({ success }) => success));
  return anatomyChart(
    [
      { title: "success", values: signals.map(({ success }) => success), domain: [0, 1] },
      { title: "silence", values: signals.map((one) => one.unearnedSilence), domain: [-1, 1] },
      { title: "entropy", values: signals.map(({ tokenEntropy }) => tokenEntropy) },
    ],
    {
      title:
        onset === null
          ? "24 steps on each batch: no fall yet"
          : `24 steps on each batch: success falls from update ${onset} on`,
      events: onset === null ? [] : [{ update: onset, label: "success begins to fall" }],
    },
  );
}
