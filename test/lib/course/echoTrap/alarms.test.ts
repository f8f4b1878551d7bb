// Uses internals of turnwise/monitor.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { alarmRules } from "turnwise/internal/monitor/index";
import {
  alarmClaims,
  alarmReport,
  alarmRun,
  alarmRunsToCsv,
  alarmSeeds,
  alarmSettings,
  expectedShare,
  followedShare,
  leadChart,
  lookingBackChart,
  rocChart,
  storedAlarmRuns,
  traps,
  type Trap,
} from "turnwise-course/echo-trap";
import { alarmNames } from "turnwise-course/internal/shared/alarms/definitions";
import type { AlarmRun } from "turnwise-course/internal/shared/alarms/stored";
import type { AlarmSetting } from "turnwise-course/internal/shared/alarms/definitions";
import { withControls } from "turnwise-course/internal/shared/alarms/controls";
import { watchedRules } from "turnwise-course/internal/shared/alarms/definitions";
import { medianInterval } from "turnwise-course/internal/shared/alarms/rates";
import { countUpdates } from "turnwise-course/internal/shared/alarms/updates";
import { root } from "../../../support/paths.js";
import { testVerdicts } from "../support";

const settings = Object.keys(alarmSettings) as AlarmSetting[];
const UPDATES = 100;

/** Which alarms are up at their highest level, so many updates before the onset, or of survivors before update 60. */
interface Made {
  readonly falls?: Readonly<Record<string, number>>;
  readonly survivors?: Readonly<Record<string, number>>;
}

/** Both halves of all settings: in each, eight runs that fall with their onset at 60, and eight survivors. */
const made = ({ falls = {}, survivors = {} }: Made = {}): AlarmRun[] =>
  [alarmSeeds.from, alarmSeeds.confirmFrom].flatMap((first) =>
    settings.flatMap((setting) =>
      Array.from({ length: 16 }, (_, i): AlarmRun => {
        const onset = i < 8 ? 60 : null;
        const up = onset === null ? survivors : falls;
        const levels = watchedRules.map(({ name, ladder }) => {
          const level_u = Array<number>(onset === null ? UPDATES : onset - 1).fill(0);
          if (name in up) level_u[60 - up[name]! - 1] = ladder.length;
          return [name, level_u] as const;
        });
        const fall = onset === null ? null : onset + 3;
        return {
          ...{ setting, seed: first + i, updates: UPDATES, rose: true, fall, onset },
          levels: Object.fromEntries(levels),
        };
      }),
    ),
  );

describe("the definitions of the alarm study", () => {
  it("are trap A with other learning rates and numbers of steps per batch", () => {
    for (const [name, change] of Object.entries(alarmSettings)) {
      const { optimizer, epochs, minibatches }: Trap = { ...traps.reuse, ...change };
      const rate = String(optimizer.learningRate).replace("0.", ".");
      assert.equal(name, `Adam ${rate}, ${epochs * minibatches} steps`);
    }
  });

  it("judge every alarm of the monitor, on seeds that nothing else has", () => {
    assert.equal(alarmNames.length, 9);
    assert.ok(alarmSeeds.from >= 1000 && alarmSeeds.confirmFrom - alarmSeeds.from >= 80);
    assert.ok(watchedRules.every(({ ladder }) => ladder.length <= 9));
  });

  it("random alarms go off at their rates, and the clock ticks alike in all runs", () => {
    const [run, other] = made().slice(0, 2).map(withControls) as [AlarmRun, AlarmRun];
    const all = made().map(withControls);
    const levels = all.flatMap((one) => one.levels["at random"]!);
    // Of 7,632 updates a fifth: the standard error is .005.
    const share = levels.filter((level) => level > 0).length / levels.length;
    assert.ok(Math.abs(share - 0.2) < 0.02, `${share}`);
    assert.notDeepEqual(run.levels["at random"], other.levels["at random"]);
    assert.deepEqual(run.levels["the clock"], other.levels["the clock"]);
    // Up until 400, 300, 200, 100 and 50, but not until 25.
    assert.equal(run.levels["the clock"]![29], 5);
  });
});

describe("runs of the alarm study", () => {
  it("are stored and read back as they were", () => {
    const runs = [...made({ falls: { echo: 3 } }).slice(0, 9), { ...made()[0]!, rose: false }];
    const csv = alarmRunsToCsv(runs);
    assert.deepEqual(storedAlarmRuns(csv), runs);
    assert.equal(alarmRunsToCsv(storedAlarmRuns(csv)), csv);
    assert.ok(csv.includes(",0x56 7 0x2,"), "56 updates of level 0, one of level 7, two of level 0");
  });

  it("end with the onset of a fall", async () => {
    const run = await alarmRun({ setting: "Adam .5, 8 steps", seed: 1 });
    assert.equal(run.updates, traps.reuse.updates);
    const length = run.onset === null ? run.updates : run.onset - 1;
    for (const { name } of watchedRules) assert.equal(run.levels[name]!.length, length, name);
  }).timeout(60_000);
});

describe("updates at risk", () => {
  const window = { horizon: 5, lead: 1, warmUp: 2 };
  const run = (onset: number | null, updates: number, up: readonly number[]): AlarmRun => ({
    ...{ setting: settings[0]!, seed: 1, updates, rose: true, fall: onset, onset },
    levels: {
      echo: Array.from({ length: (onset ?? updates + 1) - 1 }, (_, i) => Number(up.includes(i + 1))),
    },
  });

  it("count how often a fall follows an alarm, and how often one follows at that age anyway", () => {
    // The fall at 10: at risk from 3 to 9, and an onset follows from 5 on. The survivor of 15 updates: at risk from 3 to 10.
    const strata = [{ setting: "one", falls: [run(10, 15, [4, 6, 8])], survivors: [run(null, 15, [5, 12])] }];
    const counts = countUpdates(strata, window, { name: "echo", rung: 0 });
    // In the fall: up at 4 (nothing follows), 6 and 8 (it does); at 6 and 8 one of two runs at risk falls.
    assert.deepEqual(counts[0], { up: 3, followed: 2, expected: 1 });
    // In the survivor: up at 5; at 12 nobody knows what follows.
    assert.deepEqual(counts[1], { up: 1, followed: 0, expected: 0.5 });
    assert.equal(followedShare(counts)!.mean, 0.5);
    assert.equal(expectedShare(counts), 0.375);
    // All updates: 7 of the fall, 5 of them followed, and 8 of the survivor. At 10 the survivor alone is at risk.
    const all = countUpdates(strata, window);
    assert.deepEqual(
      all.map(({ up, followed }) => [up, followed]),
      [
        [7, 5],
        [8, 0],
      ],
    );
    assert.equal(expectedShare(all), followedShare(all)!.mean);
    assert.equal(followedShare([{ up: 0, followed: 0, expected: 0 }]), undefined);
    assert.equal(expectedShare([{ up: 0, followed: 0, expected: 0 }]), undefined);
  });

  it("give an interval over runs, since updates of one run depend on each other", () => {
    const count = (followed: number): { up: number; followed: number; expected: number } => ({
      up: 10,
      followed,
      expected: 0,
    });
    const spread = followedShare([count(10), count(0), count(10), count(0)])!;
    const even = followedShare([count(5), count(5), count(5), count(5)])!;
    assert.deepEqual([spread.mean, even.mean], [0.5, 0.5]);
    assert.deepEqual([even.low, even.high], [0.5, 0.5]);
    // error^2 = 4/3 * 4 * 25 / 1600 = 1/12, so Wilson's n is .25 / (1/12) = 3: half = z sqrt(.25/3 + z^2/36) / (1 + z^2/3).
    const z = 1.9599639845;
    const half = (z * Math.sqrt(0.25 / 3 + (z * z) / 36)) / (1 + (z * z) / 3);
    assert.ok(Math.abs(spread.high - (0.5 + half)) < 1e-9, `${spread.high}`);
  });

  it("the median's interval runs between two of the values", () => {
    // P(Binomial(10, 1/2) < 2) = 11/1024 <= .025 < P(... < 3) = 56/1024: from the second to the ninth.
    assert.deepEqual(medianInterval([10, 1, 2, 3, 4, 5, 6, 7, 8, 9]), { mean: 5.5, low: 2, high: 9 });
    // P(Binomial(5, 1/2) < 1) = 1/32 is above .025, so nothing narrower than their range covers it.
    assert.deepEqual(medianInterval([5, 1, 3, 2, 4]), { mean: 3, low: 1, high: 5 });
    assert.throws(() => medianInterval([]), /there must be a value/);
  });
});

describe("the report on alarms", () => {
  const runs = made({ falls: { "KL burst": 4, echo: 20 }, survivors: { echo: 20 } });
  const report = alarmReport(runs);
  const line = (rule: string): (typeof report.lines)[number] =>
    report.lines.find((own) => own.rule === rule)!;

  it("counts outcomes in the confirming half", () => {
    assert.deepEqual([report.falls, report.survivors, report.leftOut], [24, 24, 0]);
    assert.deepEqual(report.calibratedOn, [24, 24]);
    const some = runs.map((run, i) => (i === runs.length - 1 ? { ...run, rose: false } : run));
    assert.deepEqual([alarmReport(some).survivors, alarmReport(some).leftOut], [23, 1]);
  });

  it("tells an alarm that knows the doomed run from one that goes off in all", () => {
    const [burst, echo] = [line("KL burst"), line("echo")];
    assert.deepEqual([burst.area.mean, echo.area.mean], [1, 0.5]);
    assert.deepEqual([burst.warned.mean, echo.warned.mean], [1, 0]);
    assert.deepEqual([burst.foreseen, burst.medianLead], [24, 4]);
    // It is up four updates before the onset, and so not from 25 to 10 before.
    assert.equal(burst.earlyArea.mean, 0.5);
    assert.equal(burst.quietSurvivors, 24);
    assert.equal(line("the clock").area.mean, 0.5);
    assert.equal(followedShare(burst.updates)!.mean, 1);
    assert.equal(line("std cliff").medianLead, null);
  });

  it("chooses thresholds on the first half alone", () => {
    // In the second half the alarm is as loud in survivors as before falls; the choice stays that of the first.
    const first = made({ falls: { "KL burst": 4 } }).filter(({ seed }) => seed < alarmSeeds.confirmFrom);
    const second = made({ falls: { "KL burst": 4 }, survivors: { "KL burst": 4 } }).filter(
      ({ seed }) => seed >= alarmSeeds.confirmFrom,
    );
    const mixed = alarmReport([...first, ...second]).lines.find(({ rule }) => rule === "KL burst")!;
    assert.equal(mixed.threshold, line("KL burst").threshold);
    assert.deepEqual([mixed.area.mean, mixed.warned.mean], [0.5, 0]);
  });

  it("needs runs that fall and runs that hold in both halves", () => {
    const held = runs.filter(({ seed, onset }) => seed < alarmSeeds.confirmFrom || onset === null);
    assert.throws(() => alarmReport(held), {
      name: "RangeError",
      message: "Cannot judge alarms: a setting must have confirming runs that fall and runs that hold.",
    });
  });

  it("is drawn with areas, both directions and leads", () => {
    assert.match(rocChart(report).summary, /KL burst 1\.00 \[0\.\d\d, 1\.00\]/);
    const back = lookingBackChart(report, [["KL burst", 1]]).summary;
    const ahead = /a fall follows: (\S+) /.exec(back)![1]!;
    assert.ok(
      back.startsWith(`Up before 100% of falls; a fall follows in ${(100 * Number(ahead)).toFixed(0)}%. `),
      back,
    );
    assert.match(back, /falls that had it before: 1\.000/);
    assert.match(back, /survivors that had it, same age: 0\.000/);
    assert.match(leadChart(report).summary, /KL burst at 100 \(24 of 24\): 4\.000/);
    assert.throws(() => lookingBackChart(report, [["KL burst", 2]]), {
      name: "RangeError",
      message:
        "Cannot look back: the threshold of KL burst must be one of 0.03, 0.1, 0.3, 1, 3, 10, 100, got 2.",
    });
  });
});

describe("the stored runs on which alarms are judged", () => {
  const csv = fs.readFileSync(path.join(root, "datasets", "measured", "echo-trap-alarms.csv"), "utf8");
  const stored = storedAlarmRuns(csv);

  it("are complete, and written back as they were read", () => {
    assert.equal(alarmRunsToCsv(stored), csv);
    const { from, to } = alarmSeeds;
    const seeds = Array.from({ length: to - from }, (_, i) => from + i);
    for (const setting of settings) {
      const own = stored.filter((run) => run.setting === setting).map(({ seed }) => seed);
      assert.deepEqual(own, seeds, setting);
    }
  });

  it("have at least 40 falls and 40 survivors in each half", () => {
    const { falls, survivors, calibratedOn } = alarmReport(stored);
    assert.ok(Math.min(falls, survivors, ...calibratedOn) >= 40, `${falls}, ${survivors}, ${calibratedOn}`);
  });

  it("give the monitor its threshold of unearned silence, which is confirmed on the other half", () => {
    const line = alarmReport(stored).lines.find(({ rule }) => rule === "unearned silence")!;
    assert.equal(alarmRules.find(({ name }) => name === "unearned silence")!.threshold, line.threshold);
    const quiet = alarmClaims(stored).find(({ claim }) => claim.startsWith("An alarm that is quiet"))!;
    assert.match(String(quiet.verdict), /^holds if alarm = unearned silence of/);
  });
});

describe("the claims about alarms", () => {
  const nothing = "no effect that matters";
  const others = alarmNames.join(", ");
  const onlyBurst = `holds if alarm = KL burst of {${others}}`;
  const burst = { runs: made({ falls: { "KL burst": 4 } }) };
  testVerdicts<{ runs: readonly AlarmRun[] }>(({ runs }) => alarmClaims(runs), { runs: made() }, [
    ["In-group std warns", {}, nothing],
    ["In-group std warns", { runs: made({ falls: { "std cliff": 12 } }) }, "holds"],
    [
      "In-group std warns",
      { runs: made({ falls: { "std cliff": 12 }, survivors: { "std cliff": 12 } }) },
      nothing,
    ],
    ["Some alarm tells the", {}, nothing],
    ["Some alarm tells the", burst, onlyBurst],
    ["Some alarm tells it", {}, nothing],
    // Four updates are not ten.
    ["Some alarm tells it", burst, nothing],
    ["Some alarm tells it", { runs: made({ falls: { "KL burst": 12 } }) }, onlyBurst],
    ["An alarm that is quiet", {}, nothing],
    ["An alarm that is quiet", burst, onlyBurst],
    ["An alarm tells more", {}, nothing],
    ["An alarm tells more", burst, onlyBurst],
    ["An alarm tells more", { runs: made({ falls: { "success itself": 4 } }) }, "refuted"],
  ]);
});
