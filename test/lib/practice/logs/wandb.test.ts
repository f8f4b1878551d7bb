import assert from "node:assert/strict";
import { crc32 } from "node:zlib";
import { LogReader, readLog } from "turnwise-practice";

/** The file of an offline run, written here as wandb does: a header, and LevelDB's log of protobuf messages. */

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
const bytesField = (number: number, bytes: readonly number[]): number[] => [
  ...varint(8 * number + 2),
  ...varint(bytes.length),
  ...bytes,
];
const textField = (number: number, text: string): number[] => bytesField(number, [...Buffer.from(text)]);

/** Record.history = 2, of items (key = 1, nested_key = 2, value_json = 16) and a step (num = 1). */
const history = (step: number, metrics: Readonly<Record<string, string>>): number[] =>
  bytesField(2, [
    ...Object.entries(metrics).flatMap(([key, json]) =>
      bytesField(1, [
        ...(key.includes(".") ? key.split(".").flatMap((part) => textField(2, part)) : textField(1, key)),
        ...textField(16, json),
      ]),
    ),
    ...bytesField(2, [8, ...varint(step)]),
  ]);

const BLOCK = 32768;

/** Records in chunks of full (1), first (2), middle (3) and last (4); blocks of 32 KiB end in zeros. */
function file(records: readonly (readonly number[])[]): Buffer {
  const out: number[] = [0x3a, 0x57, 0x26, 0x42, 0xe1, 0xbe, 0];
  for (const record of records) {
    let at = 0;
    do {
      let left = BLOCK - (out.length % BLOCK);
      if (left < 7) {
        out.push(...Array<number>(left).fill(0));
        left = BLOCK;
      }
      const part = record.slice(at, at + left - 7);
      const [isFirst, isLast] = [at === 0, at + part.length === record.length];
      const type = isFirst && isLast ? 1 : isFirst ? 2 : isLast ? 4 : 3;
      const crc = crc32(Buffer.from([type, ...part]));
      for (const shift of [0, 8, 16, 24]) out.push((crc >>> shift) & 255);
      out.push(part.length & 255, part.length >>> 8, type, ...part);
      at += part.length;
    } while (at < record.length);
  }
  return Buffer.from(out);
}

const step = (i: number, more: Readonly<Record<string, string>> = {}): number[] =>
  history(i, {
    "train/reward": String(i <= 80 ? 0.5 : 0.1),
    "train/kl": "0.01",
    "train/loss": i === 5 ? "NaN" : "0.1",
    "train/grad_norm": "0.2",
    ...more,
  });
// 30 kB of text beside the metrics: records of several chunks, in two blocks.
const long = JSON.stringify("x".repeat(30_000));
const records = [
  textField(17, "a record of another kind"),
  ...Array.from({ length: 120 }, (_, i) => step(i + 1, i % 40 === 7 ? { "table.text": long } : {})),
];

describe("the .wandb file of an offline run", () => {
  it("is read as the log that it is, over blocks and chunks", () => {
    const log = readLog(file(records));
    assert.equal(log.container, "wandb");
    assert.equal(log.framework, "trl");
    assert.deepEqual(
      log.records.map(({ update }) => update),
      Array.from({ length: 120 }, (_, i) => i + 1),
    );
    assert.equal(log.records[0]!.metrics["reward/mean"], 0.5);
    const { fall, notFinite } = log.watch();
    assert.ok(fall !== null && fall > 80 && fall <= 91, String(fall));
    assert.deepEqual(
      notFinite.map(({ name, from }) => [name, from]),
      [["train/loss", 5]],
    );
  });

  it("gives the same records in pieces of any size, and waits for a chunk that is being written", () => {
    const bytes = file(records);
    const whole = readLog(bytes).records;
    for (const size of [1_000, 32_768, 50_001]) {
      const reader = new LogReader();
      const found = [];
      for (let at = 0; at < bytes.length; at += size)
        found.push(...reader.push(bytes.subarray(at, at + size)));
      assert.deepEqual([...found, ...reader.end()], whole);
    }
    const cut = readLog(bytes.subarray(0, bytes.length - 20));
    assert.equal(cut.records.length, 119);
  });

  it("refuses a chunk that is damaged, with its byte", () => {
    const bytes = file(records);
    bytes[60]! ^= 1;
    assert.throws(() => readLog(bytes), {
      name: "RangeError",
      message:
        /file of wandb: each chunk must be one of LevelDB's log, but the one at byte \d+ has another checksum/,
    });
  });
});
