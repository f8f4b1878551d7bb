// Uses internals of turnwise-practice.
import assert from "node:assert/strict";
import { recordsFromJsonl } from "turnwise-practice";
import { crc32c } from "turnwise-practice/internal/logs/containers/crc32c";
import { isEventFile } from "turnwise-practice/internal/logs/containers/events";
import { wholeJson } from "turnwise-practice/internal/logs/containers/json";
import { readerOfLines } from "turnwise-practice/internal/logs/containers/lines";
import { guess } from "turnwise-practice/internal/logs/guess";

describe("the beginning of an event file", () => {
  it("has the checksum of its first eight bytes behind them, and twelve bytes are enough to see it", () => {
    // The check value of CRC-32C.
    assert.equal(crc32c(new TextEncoder().encode("123456789")), 0xe3069283);
    const header = new Uint8Array(12);
    const view = new DataView(header.buffer);
    view.setUint32(0, 24, true);
    const crc = crc32c(header.subarray(0, 8));
    // As TFRecord masks it: turned by 15 bits, and a constant added.
    view.setUint32(8, (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0, true);
    assert.equal(isEventFile(header), true);
    assert.equal(isEventFile(header.subarray(0, 11)), false);
    header[0] = 25;
    assert.equal(isEventFile(header), false);
  });
});

describe("a log of lines", () => {
  it("counts its lines from 1, empty ones too, wherever its pieces are cut", () => {
    const reader = readerOfLines((content, line) => ({ content, line }));
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    const rows = [...reader.push(bytes("a\n\n  \nb")), ...reader.push(bytes("b\nc")), ...reader.end()];
    assert.deepEqual(rows, [
      { content: "a", line: 1 },
      { content: "bb", line: 4 },
      { content: "c", line: 5 },
    ]);
  });
});

describe("a log of one JSON value", () => {
  it("is a list of objects or has one under log_history, and nothing else", () => {
    const rows = [{ step: 1 }, { step: 2 }];
    const whole = { container: "JSON", rows };
    assert.deepEqual(wholeJson(JSON.stringify(rows)), whole);
    assert.deepEqual(wholeJson(JSON.stringify({ log_history: rows }, undefined, 1)), whole);
    for (const text of ["[1, 2]", '[{"step": 1}, 2]', '{\n"step": 1}', '{"log_history": 3}', "[{]"]) {
      assert.equal(wholeJson(text), undefined, text);
    }
  });
});

describe("a log of prime-rl", () => {
  it("has as silent groups those that are solved by all or by none, where it says both", async () => {
    const read = async (row: object): Promise<unknown> => {
      const line = JSON.stringify({ step: 3, "optim/grad_norm": 1, ...row });
      for await (const { metrics } of recordsFromJsonl(line, "primeRl")) return metrics["reward/fracZeroStd"];
      return "no record";
    };
    const solved = (which: string, share: number): object => ({
      [`train/agg/all/agent/solved_${which}`]: share,
    });
    assert.equal(await read({ ...solved("none", 0.25), ...solved("all", 0.5) }), 0.75);
    assert.equal(await read(solved("none", 0.25)), undefined);
  });
});

describe("the guess whose names a log has", () => {
  it("names three of them, and says by dots that there are more", () => {
    const names = [
      "frac_reward_zero_std",
      "clip_ratio/low_mean",
      "clip_ratio/high_mean",
      "completions/mean_length",
    ];
    const shown = (count: number): string => {
      const row = Object.fromEntries(names.slice(0, count).map((name) => [name, 0.1]));
      const { framework, hits, why } = guess([{ step: 1, ...row }])!;
      assert.deepEqual([framework, hits], ["trl", count]);
      return /\(([^)]*)\)/.exec(why)![1]!;
    };
    assert.equal(shown(3), names.slice(0, 3).join(", "));
    assert.equal(shown(4), `${names.slice(0, 3).join(", ")}, ...`);
  });
});
