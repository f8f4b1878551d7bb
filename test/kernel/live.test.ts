import assert from "node:assert/strict";
import { liveCurve } from "turnwise";
import { LiveDisplays } from "turnwise-kernel/dist/display/live.js";
import type { MimeBundle } from "turnwise-kernel";

const vegaLite = "application/vnd.vegalite.v5+json";

/** Displays under a clock that the test moves. */
function displays(): {
  live: LiveDisplays;
  sent: [at: number, bundle: MimeBundle][];
  clock: { now: number };
} {
  const clock = { now: 0 };
  const sent: [number, MimeBundle][] = [];
  const live = new LiveDisplays(
    (_, bundle) => sent.push([clock.now, bundle]),
    () => clock.now,
  );
  return { live, sent, clock };
}

describe("live displays", () => {
  it("send a curve of 10,000 records four times a second, with at most 400 points, and whole at the end", () => {
    const { live, sent, clock } = displays();
    const curve = liveCurve({ metric: "reward/mean", total: 10_000 });
    live.watch("chart", curve, "cell");
    // A record each millisecond, so ten seconds.
    for (let update = 1; update <= 10_000; update++) {
      clock.now = update;
      curve.add({ update, metrics: { "reward/mean": update === 7_777 ? 9 : Math.sin(update / 500) } }, "run");
    }
    live.flush();
    // 10 s / 250 ms = 40, and perhaps one for the rest.
    assert.ok(sent.length >= 39 && sent.length <= 41, `${sent.length} drawings`);
    for (const [i, [at]] of sent.slice(1, -1).entries()) assert.ok(at - sent[i]![0] >= 250);
    const spec = sent.at(-1)![1][vegaLite] as { data: { values: { x: number; y: number }[] } };
    const { values } = spec.data;
    assert.ok(values.length <= 400, `${values.length} points`);
    assert.equal(values.at(-1)!.x, 10_000);
    assert.equal(Math.max(...values.map(({ y }) => y)), 9, "the spike is kept");
    assert.ok(JSON.stringify(spec).length < 40_000);
  });

  it("draw less often what takes long to draw: a twentieth of the time at most", () => {
    const { live, sent, clock } = displays();
    let notify = (): void => undefined;
    const slow = {
      [Symbol.for("Jupyter.display")]: () => {
        clock.now += 100;
        return { "text/plain": "drawn" };
      },
      [Symbol.for("turnwise.live")]: (told: () => void) => {
        notify = told;
        return () => undefined;
      },
    };
    live.watch("chart", slow, "cell");
    while (clock.now < 10_000) {
      clock.now += 1;
      notify();
    }
    // The first after 250 ms, then 100 ms of drawing in every 100 x 20 + 100.
    assert.deepEqual(
      sent.map(([at]) => at),
      [350, 2450, 4550, 6650, 8750],
    );
  });
});
