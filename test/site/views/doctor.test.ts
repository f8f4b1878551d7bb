import assert from "node:assert/strict";
import { bytesInWords, commandOf } from "turnwise-site/internal/views/doctor/words";
import { GivenFiles } from "turnwise-site/internal/views/doctor/givenFiles";
import { mergeObjects } from "turnwise-site/internal/views/doctor/gather";

const blob = (text: string): Blob => new Blob([text]);

describe("the page that examines a run", () => {
  it("shows the files that it was given as a folder, and reads pieces of them alone", () => {
    const asked: number[] = [];
    const told: (readonly [string, number, number])[] = [];
    const files = new GivenFiles(
      [
        { path: "run/logs/train.jsonl", file: blob("0123456789") },
        { path: "run/launch.sh", file: blob("#!/bin/sh") },
        { path: "other.csv", file: blob("") },
      ],
      (piece) => {
        asked.push(piece.size);
        return new Uint8Array(piece.size);
      },
      (...progress) => told.push(progress),
    );
    assert.deepEqual(files.list("/"), ["other.csv", "run/"]);
    assert.deepEqual(files.list("/run"), ["launch.sh", "logs/"]);
    assert.deepEqual(files.list("/run/logs"), ["train.jsonl"]);
    assert.equal(files.list("/run/logs/train.jsonl"), undefined);
    assert.equal(files.pieces.size("/run/logs/train.jsonl"), 10);
    assert.equal(files.pieces.size("/other.csv"), 0);
    assert.equal(files.pieces.size("/run"), undefined);
    assert.equal(files.read("/run"), undefined);
    assert.equal(files.pieces.part("/run/logs/train.jsonl", 4, 8).length, 4);
    assert.equal(files.pieces.part("/run/logs/train.jsonl", 8, 12).length, 2);
    assert.deepEqual(asked, [4, 2]);
    assert.deepEqual(told, [
      ["run/logs/train.jsonl", 8, 10],
      ["run/logs/train.jsonl", 10, 10],
    ]);
    assert.throws(() => files.write("/run/x"), /only read/);
  });

  it("names a file that the browser may no longer read, and what to do", () => {
    const files = new GivenFiles([{ path: "train.log", file: blob("x") }], () => {
      throw new Error("The requested file could not be read");
    });
    assert.throws(() => files.read("/train.log"), {
      name: "RangeError",
      message: /^Cannot read train\.log: .*could not be read.*give it again\.$/,
    });
  });

  it("numbers a file or folder whose name is taken, as files that are saved twice are", () => {
    const given = [
      { path: "run/a.log", file: blob("") },
      { path: "b.tar.log", file: blob("") },
    ];
    const again = mergeObjects(mergeObjects(given, given), [{ path: "run/c.log", file: blob("") }]);
    assert.deepEqual(
      again.map(({ path }) => path),
      ["run/a.log", "b.tar.log", "run (2)/a.log", "b.tar (2).log", "run (3)/c.log"],
    );
  });

  it("gives the command that makes the same page", () => {
    assert.equal(
      commandOf(["run 1", "it's.log"], { compare: false, optimum: 2.5, map: ["a=reward/mean"] }),
      `npx turnwise doctor 'run 1' 'it'\\''s.log' --optimum 2.5 --map a=reward/mean`,
    );
    assert.equal(
      commandOf(["a.jsonl", "b.jsonl"], { compare: true, optimum: undefined, map: [] }),
      "npx turnwise doctor a.jsonl b.jsonl --compare",
    );
  });

  it("says sizes as people do", () => {
    assert.deepEqual([0, 999, 1000, 31_631, 2e9].map(bytesInWords), [
      "0 bytes",
      "999 bytes",
      "1.00 kB",
      "31.6 kB",
      "2.00 GB",
    ]);
  });
});
