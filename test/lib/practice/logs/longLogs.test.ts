import assert from "node:assert/strict";
import { readLog, recordsFromJsonl } from "turnwise-practice";
import { consoleReader } from "turnwise-practice/internal/logs/containers/console";
import { crc32c } from "turnwise-practice/internal/logs/containers/crc32c";
import { EventReader } from "turnwise-practice/internal/logs/containers/events";
import { jsonlReader, parseLenient } from "turnwise-practice/internal/logs/containers/jsonl";
import { wholeJson } from "turnwise-practice/internal/logs/containers/json";
import { slim } from "turnwise-practice/internal/logs/row";

const pieces = 400;

/** How much a function makes `split` and `set` look at: characters of texts, and bytes. */
function looked(run: () => void): number {
  let count = 0;
  const { split } = String.prototype as { split: (...args: unknown[]) => string[] };
  const { set } = Uint8Array.prototype;
  String.prototype.split = function (this: string, ...args: unknown[]): string[] {
    count += this.length;
    return split.apply(this, args);
  } as typeof String.prototype.split;
  Uint8Array.prototype.set = function (this: Uint8Array, from: ArrayLike<number>, at?: number): void {
    count += from.length;
    set.call(this, from, at);
  };
  try {
    run();
  } finally {
    String.prototype.split = split as typeof String.prototype.split;
    Uint8Array.prototype.set = set;
  }
  return count;
}

/** The head of a record of an event file that says how long the record is. */
function head(length: number): Uint8Array {
  const bytes = new Uint8Array(12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, length % 2 ** 32, true);
  view.setUint32(4, Math.floor(length / 2 ** 32), true);
  const crc = crc32c(bytes.subarray(0, 8));
  view.setUint32(8, (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0, true);
  return bytes;
}

describe("a long log", () => {
  it("leaves out of memory what can be no metric, and reads the same", () => {
    const row = {
      ...{
        step: "17/124",
        text: "x".repeat(1e5),
        ids: [1, 2, 3],
        reward: "nan",
        kl: 0.5,
        none: null,
        on: true,
      },
      // A logger that unfolds names goes three levels down.
      data: { reward: 1, text: "x".repeat(65), deep: { reward: { mean: 2, of: { more: 3 } }, ids: [1] } },
    };
    assert.deepEqual(slim(row), {
      ...{ step: "17/124", text: "", ids: "", reward: "nan", kl: 0.5, none: null, on: true },
      data: { reward: 1, text: "", deep: { reward: { mean: 2, of: "" }, ids: "" } },
    });
    const log = (extra: object): string =>
      Array.from({ length: 30 }, (_, step) =>
        JSON.stringify({ step, reward: 0.5, kl: 0.01, entropy: 1.2 - step / 100, ...extra }),
      ).join("\n");
    const metrics = (text: string): object[] => readLog(text).records.map((record) => record.metrics);
    const plain = metrics(log({}));
    assert.equal(plain.length, 30);
    assert.deepEqual(metrics(log({ prompt: "x".repeat(1000), completion_ids: [[1], [2]] })), plain);
  });

  it("is looked at once, however many pieces a line comes in", () => {
    const piece = "x".repeat(1000);
    for (const [name, reader] of [
      ["JSONL", jsonlReader()],
      ["console", consoleReader()],
    ] as const) {
      const count = looked(() => {
        reader.push(new TextEncoder().encode('{"text": "'));
        for (let i = 0; i < pieces; i++) reader.push(new TextEncoder().encode(piece));
        assert.equal(reader.push(new TextEncoder().encode('"}\n')).length, name === "JSONL" ? 1 : 0);
      });
      // In quadratic time it would be 400 * 401 / 2 * 1000, some 80 million.
      assert.ok(count < 4 * pieces * piece.length, `${name}: ${count}`);
    }
  });

  it("keeps lines whole that end between two pieces, with all ends of lines", async () => {
    const text = '{"reward": 1}\r\n\n{"reward": 2}\n{"reward": 3}\r\n{"reward": 4}';
    for (const size of [1, 2, 3, 7, 100]) {
      const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
        text.slice(i * size, (i + 1) * size),
      );
      const found: number[] = [];
      for await (const { metrics } of recordsFromJsonl(parts, "trl")) found.push(metrics["reward/mean"]!);
      assert.deepEqual(found, [1, 2, 3, 4], `pieces of ${size}`);
    }
  });

  it("is refused where a line is longer than a text can be, with its number", () => {
    const reader = jsonlReader();
    reader.push(new TextEncoder().encode("{}\n"));
    const piece = new TextEncoder().encode("x".repeat(1 << 26));
    assert.throws(() => {
      for (let i = 0; i < 8; i++) reader.push(piece);
    }, /^RangeError: Cannot read a log: line 2 is longer than 268435456 characters\./);
  });

  it("of events is copied once, and a record that says it is longer than the memory is refused", () => {
    const reader = new EventReader();
    const piece = new Uint8Array(1000);
    const count = looked(() => {
      reader.push(head(2 ** 29));
      for (let i = 0; i < pieces; i++) assert.deepEqual(reader.push(piece), []);
      assert.deepEqual(reader.end(), []);
    });
    assert.ok(count < 4 * pieces * piece.length, String(count));
    for (const length of [2 ** 30 + 1, 2 ** 40, 2 ** 63])
      assert.throws(() => new EventReader().push(head(length)), {
        name: "RangeError",
        message: `Cannot read an event file: a record must have at most 1073741824 bytes, but the one at byte 0 has ${length}.`,
      });
  });

  it("may have any number of blanks, quotes and NaN: each character is looked at once", () => {
    // So many that quadratic time would not end while anybody waits.
    const many = 4_000_000;
    const blanks = " ".repeat(many);
    assert.deepEqual(parseLenient(`{"a":${blanks}NaN${blanks},"b":[-Infinity,${blanks}1]}`), {
      a: "NaN",
      b: ["-Infinity", 1],
    });
    assert.deepEqual(parseLenient(`[NaN,"${'\\"'.repeat(many)}"]`), ["NaN", '"'.repeat(many)]);
    assert.deepEqual(parseLenient(`[NaN,"${"\\\\".repeat(many)}"]`), ["NaN", "\\".repeat(many)]);
    assert.throws(() => parseLenient(`[NaN,"${'\\"'.repeat(many)}`), SyntaxError);
    assert.throws(() => parseLenient(`[${blanks}`), SyntaxError);
    assert.equal(wholeJson(`[${"\n".repeat(many)}`), undefined);
    assert.deepEqual((parseLenient(`[${"NaN,".repeat(many / 10)}1]`) as unknown[]).length, many / 10 + 1);
  }).timeout(60_000);

  it("has the words for NaN and Infinity of Python's, and texts as they are", () => {
    const text =
      '{"a": NaN, "b": "x: NaN, \\" [Infinity]", "c": [-Infinity, NaN], "NaN": 1, "d\\\\": Infinity}';
    assert.deepEqual(parseLenient(text), {
      a: "NaN",
      b: 'x: NaN, " [Infinity]',
      c: ["-Infinity", "NaN"],
      NaN: 1,
      "d\\": "Infinity",
    });
    for (const bad of ['{"a": NaNs}', '{"a": - Infinity}', '{"a": nan}'])
      assert.throws(() => parseLenient(bad), SyntaxError, bad);
  });
});
