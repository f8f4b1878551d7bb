import { createRng } from "turnwise/internal/base/rng";
import type { AlarmRun } from "./stored";
import { clockLadder, randomLadder } from "./definitions";

/** Adds two alarms that know nothing of a run: "at random" goes off by chance, "the clock" knows how old the run is. */
export function withControls(run: AlarmRun): AlarmRun {
  const rng = createRng(run.seed).split("random alarm");
  const updates = Object.values(run.levels)[0] ?? [];
  return {
    ...run,
    levels: {
      ...run.levels,
      "at random": updates.map(() => {
        const draw = rng.next();
        return randomLadder.filter((probability) => draw < probability).length;
      }),
      "the clock": updates.map((_, i) => clockLadder.filter((until) => i + 1 <= until).length),
    },
  };
}
