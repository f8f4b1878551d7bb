import assert from "node:assert/strict";
import { playground } from "turnwise";
import { fastest, Pace, rateText } from "turnwise/internal/play/pace";
import { LatestRecords, Track } from "turnwise/internal/play/track";
import { until } from "../../support/process.js";

const display = Symbol.for("Jupyter.display");
const textOf = (x: object): string =>
  (x as Record<symbol, () => Record<string, string>>)[display]!()["text/plain"]!;

describe("the pace of the playground", function () {
  this.timeout(60_000);

  it("is measured over what was made since training went on, and unknown before", () => {
    let now = 0;
    const pace = new Pace(fastest, () => now);
    assert.equal(pace.rate, undefined);
    pace.start();
    // Many updates in no time: no rate, where a quotient would be infinite.
    for (let update = 0; update < 400; update++) pace.note();
    assert.equal(pace.rate, undefined);
    now = 500;
    pace.note();
    // 401 updates in half a second.
    assert.equal(pace.rate, 802);
    now = 100_000;
    pace.start();
    assert.equal(pace.rate, undefined);
  });

  it("forgets what was more than two seconds ago", () => {
    let now = 0;
    const pace = new Pace(fastest, () => now);
    pace.start();
    for (; now < 5000; now += 10) pace.note();
    for (; now < 10_000; now += 100) pace.note();
    assert.ok(Math.abs(pace.rate! - 10) < 0.5, String(pace.rate));
  });

  it("is told in as many digits as can be trusted", () => {
    assert.deepEqual([0.52, 7.123, 48.6, 1284].map(rateText), [
      "0.5 updates/s",
      "7.1 updates/s",
      "49 updates/s",
      "1300 updates/s",
    ]);
  });

  it("waits for one update after the other at the speed, and catches up nothing in a burst", async () => {
    // Time goes by in waits alone, as long as they ask for.
    let now = 0;
    const waited: number[] = [];
    const timer = globalThis.setTimeout;
    globalThis.setTimeout = ((done: () => void, ms: number) => {
      waited.push(ms);
      now += ms;
      return timer(done);
    }) as typeof setTimeout;
    try {
      const pace = new Pace(20, () => now);
      pace.start();
      for (let update = 0; update < 3; update++) await pace.wait();
      assert.deepEqual([waited, now], [[50, 50, 50], 150]);
      now = 175; // an update of 25 ms
      await pace.wait();
      assert.deepEqual([waited.at(-1), now], [25, 200]);
      now = 1200; // one of a second: late, so there is no wait, and the next one is a whole one
      await pace.wait();
      assert.deepEqual([waited.length, now], [4, 1200]);
      await pace.wait();
      assert.deepEqual([waited.length, now], [5, 1250]);
    } finally {
      globalThis.setTimeout = timer;
    }
  });

  it("is told by the panel with its limit while training runs, and not when it does not", async () => {
    const p = playground({ updates: 1000, speed: 20 });
    const going = p.run();
    await until("a rate in the panel", () => /updates\/s/.test(textOf(p)));
    assert.match(textOf(p), /running: .*, \d+(\.\d)? updates\/s \(at most 20\)/);
    p.pause();
    await going;
    assert.doesNotMatch(textOf(p), /updates\/s/);
  });

  it("does not keep anybody waiting who pauses or wants it faster", async () => {
    // No wait ends by itself: whoever were kept waiting would wait for ever.
    const timer = globalThis.setTimeout;
    globalThis.setTimeout = ((done: () => void, ms = 0) =>
      ms > 100 ? undefined : timer(done, ms)) as typeof setTimeout;
    try {
      const p = playground({ updates: 3, speed: 1 });
      const going = p.run();
      await until("an update", () => p.records.length >= 1);
      p.set("speed", fastest);
      await going;
      assert.equal(p.records.length, 3);
      p.reset();
      p.set("speed", 1);
      const slow = p.run();
      await until("an update", () => p.records.length >= 1);
      p.pause();
      await slow;
      assert.equal(p.records.length, 1);
    } finally {
      globalThis.setTimeout = timer;
    }
  });

  it("refuses a speed below its slider, and goes on as before", () => {
    assert.throws(() => playground({ speed: 0 }), {
      message: "Cannot compute the playground's pace: speed must be from 1 to Infinity, got 0.",
    });
    const p = playground();
    p.set("speed", "fast");
    assert.match(
      textOf(p),
      /! Cannot compute the playground's pace: speed must be from 1 .*, got NaN\. Training goes on/,
    );
  });
});

describe("a playground that runs for days", function () {
  this.timeout(120_000);

  it("keeps a bounded number of points, with the spikes", () => {
    const track = new Track();
    for (let x = 1; x <= 50_000; x++) track.add({ x, y: x === 33_333 ? 9 : 0 });
    assert.ok(track.points.length < 1200, String(track.points.length));
    assert.equal(track.points[0]!.x, 1);
    assert.ok(track.points.some(({ y }) => y === 9));
  });

  it("keeps the latest records", () => {
    const records = new LatestRecords();
    for (let update = 1; update <= 30_000; update++) {
      records.add({ update, samples: 0, optimizerSteps: 0, seconds: 0, metrics: {} });
      assert.ok(records.all.length <= 5500);
    }
    assert.equal(records.all.at(-1)!.update, 30_000);
    assert.ok(records.all.length >= 5000);
  });

  it("has no more memory after ten thousand updates than after six thousand", async function () {
    if (!globalThis.gc) {
      const { setFlagsFromString } = await import("node:v8");
      const { runInNewContext } = await import("node:vm");
      setFlagsFromString("--expose-gc");
      globalThis.gc = runInNewContext("gc") as NonNullable<typeof globalThis.gc>;
    }
    const used = (): number => {
      void globalThis.gc!();
      return process.memoryUsage().heapUsed;
    };
    const p = playground({ start: { groups: 1, groupSize: 2, epochs: 1 }, updates: 1_000_000 });
    await p.run(6000);
    const before = used();
    await p.run(4000);
    assert.equal(p.records.at(-1)!.update, 10_000);
    // Records of 4,000 updates take about 4 MB.
    assert.ok(used() - before < 2e6, `${String((used() - before) / 1e6)} MB`);
  });
});
