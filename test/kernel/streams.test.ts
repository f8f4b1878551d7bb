import assert from "node:assert/strict";
import { Streams } from "turnwise-kernel/dist/front/streams.js";
import { sharedKernel, streamText } from "./with-kernel.js";

interface Sent {
  cell: string;
  name: string;
  text: string;
}

function streams(o: { burst: number; perSecond: number; tail: number }): {
  all: Sent[];
  streams: Streams;
  pass(ms: number): void;
} {
  const all: Sent[] = [];
  let clock = 0;
  const made = new Streams((cell, name, text) => all.push({ cell, name, text }), { ...o, now: () => clock });
  return { all, streams: made, pass: (ms) => (clock += ms) };
}

describe("streams of a cell", () => {
  it("gather printed text in one message, and keep stdout and stderr in order", () => {
    const { all, streams: made } = streams({ burst: 1_000, perSecond: 100, tail: 50 });
    made.write("c", "stdout", "a");
    made.write("c", "stdout", "b");
    made.write("c", "stderr", "e");
    made.write("c", "stdout", "d");
    made.flush();
    assert.deepEqual(
      all.map(({ name, text }) => `${name}:${text}`),
      ["stdout:ab", "stderr:e", "stdout:d"],
    );
  });

  it("keep the head and the tail of output too large for a notebook, and say how much is missing", () => {
    const { all, streams: made } = streams({ burst: 100, perSecond: 0, tail: 10 });
    made.write("c", "stdout", "h".repeat(100));
    made.flush();
    made.write("c", "stdout", "m".repeat(50));
    made.write("c", "stdout", "t".repeat(10));
    made.flush();
    assert.equal(all[0]!.text, "h".repeat(100));
    // 50 + 10 characters came, the newest 10 are kept.
    assert.equal(
      all.at(-1)!.text,
      "\n[50 characters were left out here: the cell printed more than a notebook can take]\n" +
        "t".repeat(10),
    );
  });

  it("regain their allowance over time and with each new cell", () => {
    const { all, streams: made, pass } = streams({ burst: 100, perSecond: 100, tail: 10 });
    const print = (): void => {
      made.write("c", "stdout", "x".repeat(100));
      made.flush();
    };
    print();
    pass(1_000);
    print();
    made.refill();
    print();
    assert.deepEqual(
      all.map(({ text }) => text.length),
      [100, 100, 100],
    );
  });
});

describe("a cell that prints endlessly", function () {
  this.timeout(60_000);
  const kernel = sharedKernel({ env: { ...process.env, TURNWISE_TYPES: "off" } });

  it("reaches the notebook truncated, with its end", async () => {
    const result = await kernel().execute(
      "for (let i = 0; i < 120_000; i++) console.log(String(i).padStart(99, '.'))\nconsole.log('the end')",
    );
    const text = streamText(result);
    // A burst of 2,000,000, then 500,000 a second, and the tail: how much that is depends on the machine, but nothing is lost unsaid.
    const notes = /\n\[(\d+) characters were left out here[^\n]*\]\n/g;
    const left = [...text.matchAll(notes)].reduce((sum, [, count]) => sum + Number(count), 0);
    assert.equal(text.replace(notes, "").length + left, 12_000_000 + "the end\n".length);
    assert.ok(text.length > 1_000_000, `${text.length} of 12,000,000 characters`);
    assert.match(text, /the end\n$/);
    assert.match(text, /^\.+0\n/);
  });

  it("passes on a display of 5 MB", async () => {
    const result = await kernel().execute("display(png('x'.repeat(5_000_000)))");
    const output = result.outputs[0]!;
    assert.ok("data" in output && String(output.data["image/png"]).length === 5_000_000);
  });
});
