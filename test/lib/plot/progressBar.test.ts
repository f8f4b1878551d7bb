import assert from "node:assert/strict";
import { train } from "turnwise";
import { displaySymbol, liveSymbol, progressBar } from "turnwise/plot";

const record = (update: number, reward: number): { update: number; metrics: Record<string, number> } => ({
  update,
  metrics: { "reward/mean": reward },
});

/** A clock that the test sets, and a sink that keeps what is written. */
function stage(isTTY: boolean): {
  clock: { ms: number };
  now: () => number;
  sink: { isTTY: boolean; columns: number; write(text: string): void };
  written: string[];
} {
  const clock = { ms: 0 };
  const written: string[] = [];
  return {
    clock,
    now: () => clock.ms,
    written,
    sink: { isTTY, columns: 100, write: (text) => void written.push(text) },
  };
}

describe("progressBar()", () => {
  it("says how much is done, how fast, how long it will take, and the metric", () => {
    const { clock, now } = stage(true);
    const bar = progressBar({ total: 100, now });
    bar.add(record(1, 0));
    clock.ms = 2000;
    bar.add(record(25, 0.5));
    // 24 updates in 2 s: 12 a second; 75 are left: 6.25 s. 25 of 100 is 5 cells of 20.
    assert.equal(
      bar.toString(),
      `training █████${"░".repeat(15)}  25/100  12/s  6 s left  reward/mean 0.500`,
    );
    clock.ms = 250_000;
    bar.add(record(26, 0.5));
    // 25 updates in 250 s: .1 a second; 74 are left: 740 s = 12:20.
    assert.match(bar.toString(), / 26\/100 {2}0\.10\/s {2}12:20 left /);
  });

  it("rewrites one line of a terminal at most ten times a second, and ends it", () => {
    const { clock, now, sink, written } = stage(true);
    const bar = progressBar({ total: 4, now }).writeTo(sink);
    for (const ms of [0, 50, 120]) {
      clock.ms = ms;
      bar.add(record(1 + ms / 60, 0));
    }
    assert.equal(written.length, 2);
    bar.end();
    bar.end();
    assert.equal(written.length, 3);
    assert.ok(written.every((text) => text.startsWith("\rtraining ")));
    assert.ok(written.at(-1)!.endsWith("\n") && !written[0]!.includes("\n"));
    assert.ok(written.every((text) => text.replace("\r", "").trimEnd().length < 100));
  });

  it("gives a file or pipe a whole line every ten seconds, and the last state", () => {
    const { clock, now, sink, written } = stage(false);
    const bar = progressBar({ total: 50, now }).writeTo(sink);
    for (let i = 1; i <= 25; i++) {
      clock.ms = i * 1000;
      bar.add(record(i, 0));
    }
    bar.end();
    // At 1, 11 and 21 s, and at the end, which was not planned.
    assert.deepEqual(
      written.map((line) => /(\d+)\/50/.exec(line)?.[1]),
      ["1", "11", "21", "25"],
    );
    assert.ok(written.every((line) => line.endsWith("\n") && !line.includes("\r")));
    assert.match(written.at(-1)!, /stopped after 24 s/);
  });

  it("follows a run, takes the total from it and hands every record on, also when the loop is left", async () => {
    const bar = progressBar();
    const seen: number[] = [];
    const run = train({ env: "BiArmBandit-v0", recipe: "grpo", updates: 5, seed: 1 });
    for await (const { update } of bar.follow(run)) {
      seen.push(update);
      if (update === 3) break;
    }
    assert.deepEqual(seen, [1, 2, 3]);
    assert.equal(run.stopReason, "returned");
    assert.match(bar.toString(), /training █{12}░{8} {2}3\/5 /);
  });

  it("displays itself as a meter with its words beside, and tells its listeners of every record", () => {
    const bar = progressBar({ total: 8, label: 'a "b" & c' });
    let told = 0;
    const stop = bar[liveSymbol](() => told++);
    bar.add(record(2, 0.25));
    const bundle = bar[displaySymbol]() as Record<string, string>;
    assert.equal(
      bundle["text/html"],
      '<div><progress value="2" max="8" aria-label="a &#34;b&#34; &#38; c"></progress> ' +
        "<code>a &#34;b&#34; &#38; c 2/8  reward/mean 0.250</code></div>",
    );
    assert.equal(bundle["text/plain"], bar.toString());
    stop();
    bar.add(record(3, 0.5));
    assert.equal(told, 1);
  });
});
