import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { lineChart, merge, saveCheckpoint, saveRecords, sweep, train, trainSeeds } from "turnwise";
import { readTrajectories, writeTrajectories } from "turnwise-practice";
import { replaceFile } from "turnwise/internal/base/host/files/replaceFile";
import { skip } from "../../support/needs.js";

const setting = { env: "LookUp-v0", recipe: "grpo", updates: 1, groups: 2, groupSize: 2 } as const;

describe("a file that is written", () => {
  let folder = "";
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "turnwise-write-"));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));
  const at = (name: string): string => path.join(folder, name);

  /** Every part of the library that writes a file of the user's in one go. */
  const writers: Readonly<Record<string, (file: string) => unknown>> = {
    "records.csv": async (file) => saveRecords(file, await trainSeeds(setting, 1)),
    "chart.json": (file) =>
      lineChart({ y: [{ x: 1, y: 1, low: 1, high: 1 }] }, { title: "t", xTitle: "x", yTitle: "y" }).save(
        file,
      ),
    "checkpoint.json": (file) => saveCheckpoint(path.dirname(file), train(setting).checkpoint()),
    "rollouts.jsonl": (file) => {
      const chat = { messages: ["user", "assistant"].map((role) => ({ role, content: "4" })), reward: 1 };
      return writeTrajectories(readTrajectories(JSON.stringify(chat)), {
        format: "verl",
        file,
        omit: ["group", "info"],
      });
    },
    "sweep.jsonl": async (file) => {
      const part = at("part.jsonl");
      await sweep({ ...setting, seeds: 1, workers: 0, file: part });
      const joined = fs.readFileSync(part);
      if (fs.readFileSync(file, "utf8") === "") fs.writeFileSync(file, joined);
      merge([part], { file });
    },
  };
  const failing = ["openSync", "writeSync", "fsyncSync", "renameSync"] as const;

  for (const [name, write] of Object.entries(writers)) {
    it(`holds all of the old or all of the new where the disk is full: ${name}`, async () => {
      const file = at(name);
      const before = name === "sweep.jsonl" ? "" : "what I had";
      fs.writeFileSync(file, before);
      const real = { ...fs };
      for (const call of failing) {
        let failed = false;
        // Half of it is written, as on a disk that is full.
        Object.assign(fs, {
          [call]: (...args: unknown[]): unknown => {
            const own =
              String(args[0]).includes(`.${name}.`) || (typeof args[0] === "number" && opened.has(args[0]));
            if (!own) return (real[call] as (...all: unknown[]) => unknown)(...args);
            failed = true;
            if (call === "writeSync") real.writeSync(args[0] as number, Buffer.from("half"));
            throw Object.assign(new Error(`ENOSPC: no space left on device, ${call}`), { code: "ENOSPC" });
          },
        });
        const opened = new Set<number>();
        if (call !== "openSync") {
          Object.assign(fs, {
            openSync: (...args: Parameters<typeof fs.openSync>): number => {
              const fd = real.openSync(...args);
              if (String(args[0]).includes(`.${name}.`)) opened.add(fd);
              return fd;
            },
          });
        }
        let error: unknown;
        try {
          await write(file);
        } catch (reason) {
          error = reason;
        } finally {
          Object.assign(fs, { [call]: real[call], openSync: real.openSync });
        }
        assert.ok(failed, call);
        assert.match(
          String(error),
          /^RangeError: Cannot write .*: the disk is full \(ENOSPC: .*\)\. What was there is unchanged\.$/,
        );
        assert.ok(String(error).includes(file), String(error));
        if (before !== "") assert.equal(fs.readFileSync(file, "utf8"), before, call);
        assert.deepEqual(
          fs.readdirSync(folder).filter((one) => one.endsWith(".part")),
          [],
        );
      }
      await write(file);
      assert.notEqual(fs.readFileSync(file, "utf8"), before);
    });
  }

  /** A folder that admits no new file, and a file that is a mount point. */
  const closed = [
    ["openSync", "EACCES"],
    ["openSync", "EROFS"],
    ["renameSync", "EBUSY"],
    ["renameSync", "EXDEV"],
  ] as const;
  for (const [call, code] of closed) {
    it(`is written in place where nothing can take its place: ${call} says ${code}`, () => {
      const file = at("mine.csv");
      fs.writeFileSync(file, "a longer text of mine", { mode: 0o640 });
      const { ino, mode } = fs.statSync(file);
      const real = { ...fs };
      const temporary = at("tmp");
      fs.mkdirSync(temporary);
      const { TMPDIR } = process.env;
      const refuse = (...args: unknown[]): unknown => {
        if (!String(args[0]).endsWith(".part"))
          return (real[call] as (...all: unknown[]) => unknown)(...args);
        throw Object.assign(new Error(`${code}: refused, ${call}`), { code });
      };
      process.env.TMPDIR = temporary;
      Object.assign(fs, { [call]: refuse });
      try {
        replaceFile(file, "new");
        assert.equal(fs.readFileSync(file, "utf8"), "new");
        assert.deepEqual([fs.statSync(file).ino, fs.statSync(file).mode], [ino, mode]);
        assert.throws(() => replaceFile(at("not there.csv"), "new"), new RegExp(`${code}.* unchanged\\.$`));

        // The disk is full: the third write goes wrong, after the one of the new content and the one of the copy.
        let writes = 0;
        let broken = 1;
        const writeSync = (...args: Parameters<typeof fs.writeSync>): number => {
          if (++writes <= 2 || writes > 2 + broken) return real.writeSync(...args);
          real.writeSync(args[0], Buffer.from("half"));
          throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
        };
        Object.assign(fs, { writeSync });
        assert.throws(() => replaceFile(file, "newer"), /the disk is full .*What was there is unchanged\.$/);
        assert.equal(fs.readFileSync(file, "utf8"), "new");
        assert.deepEqual(fs.readdirSync(temporary), []);

        [writes, broken] = [0, 2];
        assert.throws(
          () => replaceFile(file, "newer"),
          (error: Error) => {
            const [, old, wanted] =
              /the disk is full .* could not be put back: it is in (.*), and what was to be written in (.*)\.$/.exec(
                error.message,
              )!;
            assert.equal(fs.readFileSync(old!, "utf8"), "new");
            assert.equal(fs.readFileSync(wanted!, "utf8"), "newer");
            return true;
          },
        );
      } finally {
        Object.assign(fs, { [call]: real[call], writeSync: real.writeSync });
        if (TMPDIR === undefined) delete process.env.TMPDIR;
        else process.env.TMPDIR = TMPDIR;
      }
    });
  }

  it("keeps its permissions, and a link goes on pointing at it", function () {
    if (process.platform === "win32") skip(this, "needs a POSIX system");
    fs.mkdirSync(at("data"));
    fs.writeFileSync(at("data/real.csv"), "old");
    fs.chmodSync(at("data/real.csv"), 0o640);
    fs.symlinkSync("data/real.csv", at("link.csv"));
    fs.symlinkSync("link.csv", at("link to link.csv"));
    fs.symlinkSync("data/not yet.csv", at("dangling.csv"));
    replaceFile(at("link to link.csv"), "new");
    replaceFile(at("dangling.csv"), "made");
    assert.ok(fs.lstatSync(at("link to link.csv")).isSymbolicLink());
    assert.equal(fs.readFileSync(at("data/real.csv"), "utf8"), "new");
    assert.equal(fs.statSync(at("data/real.csv")).mode & 0o777, 0o640);
    assert.equal(fs.readFileSync(at("data/not yet.csv"), "utf8"), "made");
    assert.deepEqual(fs.readdirSync(at("data")).sort(), ["not yet.csv", "real.csv"]);
  });

  it("is refused where it is a folder, is read-only or its links end nowhere", function () {
    if (process.platform === "win32") skip(this, "needs a POSIX system");
    fs.mkdirSync(at("taken"));
    assert.throws(
      () => replaceFile(at("taken"), ""),
      /^RangeError: Cannot write .*taken: EISDIR: .* unchanged\.$/,
    );
    assert.throws(() => replaceFile(at("nowhere/x"), ""), /^RangeError: Cannot write .*nowhere\/x: ENOENT: /);
    fs.symlinkSync("b", at("a"));
    fs.symlinkSync("a", at("b"));
    assert.throws(() => replaceFile(at("a"), ""), /^RangeError: Cannot write .*a: ELOOP: /);
    fs.writeFileSync(at("fixed"), "old", { mode: 0o444 });
    // An administrator may write it nevertheless.
    if (process.getuid?.() !== 0) assert.throws(() => replaceFile(at("fixed"), "new"), /EACCES/);
    replaceFile("/dev/null", "a device holds nothing that could be lost");
    assert.ok(fs.statSync("/dev/null").isCharacterDevice());
  });
});
