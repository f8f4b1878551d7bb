import assert from "node:assert/strict";
import { playground } from "turnwise";
import { Watch } from "turnwise/internal/play/watch";

const display = Symbol.for("Jupyter.display");
const textOf = (x: object): string =>
  (x as Record<symbol, () => Record<string, string>>)[display]!()["text/plain"]!;

interface Seen {
  readonly reward: number;
  /** The share of groups that agree. */
  readonly agree: number;
}

/** The alarms that are up after each of these updates. */
function alarms(seen: readonly Seen[], optimum?: number): string[][] {
  const watch = new Watch(optimum);
  return seen.map(({ reward, agree }, i) => {
    watch.observe({ update: i + 1, metrics: { "reward/mean": reward, "reward/fracZeroStd": agree } });
    return watch.active.map(({ rule, since }) => `${rule} since ${String(since)}`);
  });
}

const times = (count: number, seen: Seen): Seen[] => Array.from({ length: count }, () => seen);

describe("alarms of the playground", function () {
  this.timeout(120_000);

  it("are quiet at the optimum, where all groups agree because they are right", () => {
    const up = alarms([...times(20, { reward: 0.5, agree: 0.3 }), ...times(100, { reward: 1, agree: 1 })], 1);
    assert.deepEqual(up.flat(), []);
  });

  it("measure success by the optimum of the world", () => {
    // 10 of 10 is success; of 20 it is half, and agreement of all groups is half unearned.
    assert.deepEqual(alarms(times(50, { reward: 10, agree: 1 }), 10).flat(), []);
    assert.deepEqual(alarms(times(50, { reward: 10, agree: 1 }), 20).at(-1), ["unearned silence since 13"]);
  });

  it("say so when groups agree without having solved the task, after the warm-up and three updates", () => {
    // .9 of the groups agree, and .3 is earned: .6 > .2. Ten updates warm up, then three in a row.
    const up = alarms(times(14, { reward: 0.3, agree: 0.9 }), 1);
    assert.deepEqual(up.slice(0, 12).flat(), []);
    assert.deepEqual(up.slice(12), [["unearned silence since 13"], ["unearned silence since 13"]]);
  });

  it("go down when it is over", () => {
    const up = alarms([...times(20, { reward: 0.3, agree: 0.9 }), { reward: 0.8, agree: 0.9 }], 1);
    assert.deepEqual(up.at(-2), ["unearned silence since 13"]);
    assert.deepEqual(up.at(-1), []);
  });

  it("say so when success has been below three quarters of its best for ten updates", () => {
    // The best is .9, three quarters of it .675; the tenth update below is number 30.
    const fallen = [...times(20, { reward: 0.9, agree: 0.5 }), ...times(11, { reward: 0.6, agree: 0.5 })];
    const up = alarms(fallen, 1);
    assert.deepEqual(up.slice(0, 29).flat(), []);
    assert.deepEqual(up.slice(29), [["success falls since 30"], ["success falls since 30"]]);
  });

  it("do not call it a fall where success never rose", () => {
    const low = [...times(20, { reward: 0.3, agree: 0.1 }), ...times(30, { reward: 0.1, agree: 0.1 })];
    assert.deepEqual(alarms(low, 1).flat(), []);
  });

  it("say nothing of silence where nobody knows the optimum", () => {
    assert.deepEqual(alarms(times(50, { reward: -3, agree: 1 })).flat(), []);
  });

  for (const seed of [0, 1, 2]) {
    it(`are never up in a playground at reward 1.0, seed ${String(seed)}`, async () => {
      const p = playground({ start: { seed, learningRate: 0.1 }, updates: 300 });
      let solved = 0;
      for (let update = 0; update < 300; update++) {
        await p.run(1);
        if (p.records.at(-1)!.metrics["reward/mean"] !== 1) continue;
        solved++;
        assert.doesNotMatch(textOf(p), /up since update/);
      }
      assert.ok(solved > 100, `solved in ${String(solved)} updates`);
    });
  }
});
