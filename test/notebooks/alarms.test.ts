// Uses internals of turnwise/monitor.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { ladderedRules } from "turnwise/internal/monitor/index";
import { alarmClaims, storedAlarmRuns } from "turnwise-course/echo-trap";
import { root } from "../support/paths.js";
import { isAboutAlarms } from "./alarmRows";
import { claimOf, storedLedger } from "./storedLedger";

/** The figures about alarms once more, from the stored table, by brute force and without the library's statistics. */
interface Run {
  readonly setting: string;
  readonly seed: number;
  readonly updates: number;
  readonly rose: boolean;
  readonly onset: number | null;
  readonly level: (rule: string, update: number) => number;
}

const HORIZON = 25;
const WARM_UP = 10;
const Z = 1.959963984540054;
const csv = fs.readFileSync(path.join(root, "datasets", "measured", "echo-trap-alarms.csv"), "utf8");
const runs: readonly Run[] = csv
  .trim()
  .split("\n")
  .slice(1)
  .map((text) => {
    // Only the name of the setting has a comma, and so quotes.
    const [, setting = "", rest = ""] = /^"(.*?)",(.*)$/.exec(text)!;
    const [seed, updates, rose, , onset, ...histories] = rest.split(",");
    const names = csv.split("\n")[0]!.split(",").slice(6);
    const level = new Map(
      names.map((name, i) => [
        name,
        histories[i]!.split(" ").flatMap((piece) => {
          const [value, count] = piece.split("x");
          return Array<number>(Number(count ?? 1)).fill(Number(value));
        }),
      ]),
    );
    return {
      ...{ setting, seed: Number(seed), updates: Number(updates), rose: rose === "1" },
      onset: onset === "" ? null : Number(onset),
      level: (rule, update) => level.get(rule)![update - 1]!,
    };
  });
const halves = {
  choosing: runs.filter((run) => run.seed < 1080),
  judging: runs.filter((run) => run.seed >= 1080),
};
const settings = [...new Set(runs.map((run) => run.setting))];
const names = ladderedRules.map(({ name }) => name);

function highest(run: Run, rule: string, onset: number, lead: number): number {
  let most = 0;
  for (let update = onset - HORIZON; update <= onset - lead; update++) {
    if (update > WARM_UP) most = Math.max(most, run.level(rule, update));
  }
  return most;
}

interface Figure {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** The mean over pairs of a fall and a survivor of its setting, with DeLong's error and Wilson's interval. */
function overPairs(
  half: readonly Run[],
  value: (fall: Run, survivor: Run) => number,
  range: readonly [number, number],
): Figure {
  const fallsOf = (setting: string): Run[] =>
    half.filter((run) => run.setting === setting && run.rose && (run.onset ?? 0) > WARM_UP + 1);
  const total = settings.reduce((sum, setting) => sum + fallsOf(setting).length, 0);
  let mean = 0;
  let variance = 0;
  for (const setting of settings) {
    const falls = fallsOf(setting);
    const survivors = half.filter((run) => run.setting === setting && run.rose && run.onset === null);
    const x = falls.map((fall) => survivors.map((survivor) => value(fall, survivor)));
    const average = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
    const spread = (values: readonly number[]): number =>
      values.reduce((sum, y) => sum + (y - average(values)) ** 2, 0) / (values.length - 1) / values.length;
    const weight = falls.length / total;
    mean += weight * average(x.map(average));
    variance +=
      weight ** 2 *
      (spread(x.map(average)) + spread(survivors.map((_, j) => average(x.map((row) => row[j]!)))));
  }
  const [least, most] = range;
  const p = (mean - least) / (most - least);
  const n = (p * (1 - p) * (most - least) ** 2) / variance;
  const half95 = (Z * Math.sqrt((p * (1 - p)) / n + Z ** 2 / (4 * n ** 2))) / (1 + Z ** 2 / n);
  const middle = (p + Z ** 2 / (2 * n)) / (1 + Z ** 2 / n);
  if (variance === 0) return { mean, low: mean, high: mean };
  return {
    mean,
    low: least + (middle - half95) * (most - least),
    high: least + (middle + half95) * (most - least),
  };
}

const wins = (rule: string, lead: number) => (fall: Run, survivor: Run) => {
  const [a, b] = [fall, survivor].map((run) => highest(run, rule, fall.onset!, lead)) as [number, number];
  return a > b ? 1 : a === b ? 0.5 : 0;
};
const area = (rule: string, lead = 1): Figure => overPairs(halves.judging, wins(rule, lead), [0, 1]);
const shown = ({ mean, low, high }: Figure): string =>
  `${mean.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;

/** Sensitivity minus false alarms at a rung. */
const warned = (half: readonly Run[], rule: string, rung: number): Figure =>
  overPairs(
    half,
    (fall, survivor) =>
      Number(highest(fall, rule, fall.onset!, 1) > rung) -
      Number(highest(survivor, rule, fall.onset!, 1) > rung),
    [-1, 1],
  );

/** The rung that warns of most falls of the first half with at most 10% false alarms; the least sensitive of equals. */
function chosen(rule: string, rungs: number): number {
  const rates = Array.from({ length: rungs }, (_, rung) => {
    const of = (which: "fall" | "survivor"): number =>
      overPairs(
        halves.choosing,
        (fall, survivor) => Number(highest(which === "fall" ? fall : survivor, rule, fall.onset!, 1) > rung),
        [0, 1],
      ).mean;
    return { rung, sensitivity: of("fall"), falseAlarms: of("survivor") };
  });
  const least = Math.min(...rates.map(({ falseAlarms }) => falseAlarms));
  const allowed = rates.filter(({ falseAlarms }) => falseAlarms <= Math.max(0.1, least) + 1e-9);
  const best = Math.max(...allowed.map(({ sensitivity }) => sensitivity));
  return allowed.filter(({ sensitivity }) => sensitivity > best - 1e-12).at(-1)!.rung;
}

describe("the rows about alarms in the ledger of notebook 04", () => {
  const rows = storedLedger("appendix/04-echo-trap");
  const has = (words: string, expected: string): void => {
    const { measured } = claimOf(rows, words);
    assert.ok(measured.includes(expected), `${expected} in: ${measured}`);
  };

  it("stand on at least 40 falls and 40 survivors", () => {
    const falls = halves.judging.filter((run) => (run.onset ?? 0) > WARM_UP + 1).length;
    const survivors = halves.judging.filter((run) => run.rose && run.onset === null).length;
    assert.ok(falls >= 40 && survivors >= 40, `${falls} and ${survivors}`);
    has("In-group std warns early", `${falls} falls, ${survivors} survivors`);
  });

  it("hold every alarm's area, at once and ten updates ahead", () => {
    has("In-group std warns early", `before a fall ${shown(area("std cliff"))}`);
    for (const rule of names) {
      has("Some alarm tells the coming fall", `${rule} ${shown(area(rule))}`);
      has("Some alarm tells it ten", `${rule} ${shown(area(rule, 10))}`);
    }
  });

  it("hold sensitivity minus false alarms at thresholds chosen on the other half", () => {
    for (const { name, ladder } of ladderedRules) {
      const rung = chosen(name, ladder.length);
      has(
        "An alarm that is quiet",
        `${name} at ${ladder[rung]!}: ${shown(warned(halves.judging, name, rung))}`,
      );
    }
  });

  it("hold each alarm's difference from success itself", () => {
    has("An alarm tells more", `success itself: AUC ${shown(area("success itself"))}`);
    for (const rule of names) {
      const gap = overPairs(
        halves.judging,
        (fall, survivor) => wins(rule, 1)(fall, survivor) - wins("success itself", 1)(fall, survivor),
        [-1, 1],
      );
      has("An alarm tells more", `${rule} ${shown(gap)}`);
    }
  });

  it("are what the library says of the stored runs, and no others", () => {
    const claims = alarmClaims(storedAlarmRuns(csv));
    const stored = rows.filter(({ claim }) => isAboutAlarms(claim));
    assert.deepEqual(
      stored.map(({ claim, verdict }) => [claim, String(verdict)]),
      claims.map(({ claim, verdict }) => [claim, String(verdict)]),
    );
  });
});
