import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Chart } from "turnwise/internal/plot/chart";
import { lineChart } from "turnwise/internal/plot/lineChart";
import { table, type Table } from "turnwise/internal/plot/table";
import type { StoredRecord } from "../shared/storedTable";
import { panels } from "./panels";
import { crossing, errorNames, seeded, worldNames } from "./worldModelClaims";
import { simulatorRates, type ModeledWorldName, type SimulatorError } from "./worldModelRun";

/**
 * Chart of the score in the true world of an agent that learned in a simulator, over the share of replies that the
 * simulator makes up: rows of `datasets/measured/simulators.csv`.
 *
 * @throws {RangeError} if there is no such row
 */
export function drawSimulators(simulators: readonly StoredRecord[]): Chart {
  const charts = worldNames.map((world) =>
    lineChart(
      Object.fromEntries(errorNames.map((error) => [error, curve(simulators, world, error, "score")])),
      {
        title: world,
        xTitle: "share of replies that are made up",
        yTitle: "true score",
        width: 400,
        height: 92,
      },
    ),
  );
  const left = worldNames.map(
    (world) => `${world} ${curve(simulators, world, "reward, fixed", "score").at(-1)!.y.toFixed(2)}`,
  );
  return panels(charts, {
    title: `Half of the rewards wrong for good: ${left.join(", ")}`,
    subtitle: "40 seeds, each judged exactly; band: 95 % interval; random agent 0, optimum 1",
  });
}

/**
 * Chart of the simulator's promise to its agent, and of the world's reward, in one world for one kind of error.
 *
 * @throws {RangeError} if there is no such row
 */
export function drawPromise(
  simulators: readonly StoredRecord[],
  { world, error }: { readonly world: ModeledWorldName; readonly error: SimulatorError },
): Chart {
  const series = {
    "promised by the simulator": curve(simulators, world, error, "promised"),
    "paid by the world": curve(simulators, world, error, "score"),
  };
  const last = (name: keyof typeof series): string => series[name].at(-1)!.y.toFixed(2);
  return lineChart(series, {
    title: `The simulator promises ${last("promised by the simulator")}, the world pays ${last("paid by the world")}`,
    subtitle: `${world}, ${error}; 40 seeds, exact; band: 95 % interval`,
    xTitle: "share of replies that are made up",
    yTitle: "score",
    width: 440,
    height: 220,
  });
}

/** From which share of made-up replies on the loss surely matters, by world and kind of error; "never" where it does at none tried. */
export function crossings(simulators: readonly StoredRecord[]): Table {
  return table(
    worldNames.map((world) => ({
      world,
      ...Object.fromEntries(
        errorNames.map((error) => [error, String(crossing(simulators, world, error) ?? "never")]),
      ),
    })),
  );
}

function curve(
  rows: readonly StoredRecord[],
  world: ModeledWorldName,
  error: SimulatorError,
  column: string,
): { x: number; y: number; low: number; high: number }[] {
  return simulatorRates.map((rate) => {
    const values = seeded(rows, { world, error, rate }, column).map(({ value }) => value);
    const { mean, low, high } = bootstrapInterval(values, { resamples: 400 });
    return { x: rate, y: mean, low, high };
  });
}
