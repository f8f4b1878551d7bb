import assert from "node:assert/strict";
import { createRng, EchoTrapMonitor, monitor, train, type Metrics } from "turnwise";
import {
  alarmRules,
  thresholdLadders,
  type Alarm,
  type AlarmName,
  type AlarmRule,
  type MonitorOptions,
  type MonitorRecord,
} from "turnwise/internal/monitor/index";

const records = (metrics: readonly Metrics[]): MonitorRecord[] =>
  metrics.map((m, i) => ({ update: i + 1, metrics: m }));
const alarmsOf = (stream: readonly MonitorRecord[], o: MonitorOptions = {}): readonly Alarm[] => {
  const watcher = new EchoTrapMonitor(o);
  for (const record of stream) watcher.observe(record);
  return watcher.alarms;
};

/** A trap with known events: learning to 30, silence from 31, a burst at 80, success 0 from 81. */
const trapRun = (burst = 80): MonitorRecord[] =>
  records(
    Array.from({ length: 120 }, (_, i): Metrics => {
      const update = i + 1;
      if (update <= 30) {
        return {
          "success/mean": update / 30,
          "reward/std": 0.4,
          "reward/fracZeroStd": 0.1,
          "policy/entropy": 1,
          "policy/gradNorm": 0.2,
          "policy/approxKl": 0.01,
        };
      }
      return {
        "success/mean": update > burst ? 0 : 1,
        "reward/std": 0,
        "reward/fracZeroStd": 1,
        "policy/entropy": 0.005,
        "policy/gradNorm": update === burst ? 0.15 : 0,
        "policy/approxKl": update === burst ? 4 : 0,
      };
    }),
  );
const healthyRun = (): MonitorRecord[] =>
  records(
    Array.from({ length: 120 }, (_, i): Metrics => ({
      "success/mean": Math.min(0.98, i / 30),
      "reward/std": 0.4,
      "reward/fracZeroStd": 0.3,
      "policy/entropy": 0.5,
      "policy/gradNorm": 0.2,
      "policy/approxKl": 0.01,
    })),
  );

describe("EchoTrapMonitor", () => {
  it("raises each alarm of a trap with known events at its update, and once", () => {
    const at = Object.fromEntries(alarmsOf(trapRun()).map(({ rule, update }) => [rule, update]));
    // Cliffs have a patience of 3 records: 31, 32, 33. The burst is alone at 80. Success is 0 from 81: 81, 82, 83.
    assert.deepEqual(at, {
      "std cliff": 33,
      "entropy cliff": 33,
      "gradient spike": 80,
      "KL burst": 80,
      "unearned silence": 83,
    });
    assert.equal(alarmsOf(trapRun()).length, 5);
  });

  it("stays silent on a healthy run, and says which rules had nothing to watch", () => {
    const watcher = new EchoTrapMonitor();
    for (const record of healthyRun()) watcher.observe(record);
    assert.deepEqual(watcher.alarms, []);
    assert.deepEqual(watcher.blind, ["ratio extreme", "clip fraction", "echo", "information loss"]);
    assert.match(
      watcher.toString(),
      /^0 alarms in 120 updates\nnot monitored \(metrics missing\): ratio extreme/,
    );
  });

  it("says nothing in the first updates, in which every run moves", () => {
    const kl = Array.from({ length: 12 }, () => ({ "policy/approxKl": 5 }));
    assert.deepEqual(
      alarmsOf(records(kl)).map((a) => [a.rule, a.update]),
      [["KL burst", 11]],
    );
    assert.equal(alarmsOf(records(kl), { warmUp: 3 })[0]!.update, 4);
  });

  it("speaks again after a signal has come back", () => {
    const rule: AlarmRule = {
      name: "KL",
      signal: "kl",
      direction: "above",
      threshold: 1,
      patience: 2,
      meaning: "far",
    };
    const kl = [2, 2, 2, 0, 2, 2];
    const alarms = alarmsOf(records(kl.map((x) => ({ "policy/approxKl": x }))), { rules: [rule], warmUp: 0 });
    assert.deepEqual(
      alarms.map((a) => a.update),
      [2, 6],
    );
  });

  it("a metric that is missing for a while neither raises nor ends an alarm", () => {
    const holes = trapRun().flatMap((record): MonitorRecord[] => [
      record,
      { update: record.update, metrics: { "policy/gradNorm": NaN, "reward/std": NaN } },
    ]);
    assert.deepEqual(alarmsOf(holes), alarmsOf(trapRun()));
  });

  it("never raises more alarms with a less sensitive threshold", () => {
    const rng = createRng(5).split("alarms");
    for (let trial = 0; trial < 50; trial++) {
      const run = records(
        Array.from({ length: 60 }, (): Metrics => ({
          "policy/approxKl": rng.next() ** 4 * 10,
          "policy/gradNorm": rng.next() ** 8,
          "policy/entropy": rng.next(),
          "reward/std": rng.next(),
        })),
      );
      for (const rule of alarmRules) {
        const counts = thresholdLadders[rule.name as AlarmName].map(
          (threshold) => alarmsOf(run, { rules: [{ ...rule, threshold, patience: 1 }] }).length > 0,
        );
        assert.deepEqual(
          counts,
          [...counts].sort((a, b) => Number(b) - Number(a)),
        );
      }
    }
  });

  it("watches any stream and hands every record on, in order", async () => {
    async function* stream(): AsyncGenerator<MonitorRecord> {
      for (const record of trapRun()) {
        await Promise.resolve();
        yield record;
      }
    }
    const seen: number[] = [];
    const rung: string[] = [];
    for await (const { record, signals, alarms } of monitor(stream())) {
      seen.push(record.update);
      assert.equal(signals.update, record.update);
      rung.push(...alarms.map((a) => a.rule));
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 120 }, (_, i) => i + 1),
    );
    assert.equal(rung.length, 5);
  });

  it("watches training as it goes on, with every rule in sight", async () => {
    const watcher = new EchoTrapMonitor();
    const run = train({
      env: "ToolChain-v0",
      policy: { kind: "logLinear", beta: 4 },
      recipe: "grpo",
      updates: 12,
    });
    let updates = 0;
    for await (const { record } of monitor(run, watcher)) updates = record.update;
    assert.equal(updates, 12);
    assert.deepEqual(watcher.blind, []);
  });

  it("refuses rules that it could not tell apart or apply", () => {
    const [rule] = alarmRules;
    assert.throws(() => new EchoTrapMonitor({ rules: [rule!, rule!] }), {
      name: "RangeError",
      message: "Cannot monitor: the rules must have different names, got std cliff, std cliff.",
    });
    assert.throws(() => new EchoTrapMonitor({ rules: [{ ...rule!, patience: 0 }] }), {
      name: "RangeError",
      message:
        'Cannot monitor: rule "std cliff" must have a threshold and a whole patience >= 1, got 0.1 and 0.',
    });
  });
});

describe("the ladders of alarms", () => {
  it("every rule has its own ladder, and its own threshold is on it", () => {
    assert.deepEqual(
      alarmRules.map((rule) => rule.name),
      Object.keys(thresholdLadders),
    );
    for (const { name, threshold } of alarmRules) {
      assert.ok((thresholdLadders[name as AlarmName] as readonly number[]).includes(threshold), name);
    }
  });
});
