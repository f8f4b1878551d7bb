import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { replaceFile } from "turnwise-kernel/bootstrap/replace-file.cjs";
import { removeTemporaryFolders, temporaryFolder, turnwise } from "../support/command.js";
import { code, notebookOf } from "../support/notebook.js";
import { skip } from "../support/needs.js";

/** Lets every write of a notebook end as on a full disk: half of it is written, and then there is no more room. */
const fullDisk = `
const fs = require("node:fs");
const full = () => Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
const { writeFileSync } = fs;
const opened = new Set();
const { openSync } = fs;
const isMine = (file) => String(file).includes(".ipynb") && !/[\\/\\\\]out[\\/\\\\]/.test(String(file));
fs.openSync = (file, ...rest) => {
  const fd = openSync(file, ...rest);
  if (isMine(file)) opened.add(fd);
  return fd;
};
fs.writeFileSync = (file, content, ...rest) => {
  if (!opened.has(file) && !isMine(file)) return writeFileSync(file, content, ...rest);
  writeFileSync(file, content.slice(0, 40), ...rest);
  throw full();
};`;

describe("a file that a command writes", () => {
  after(removeTemporaryFolders);

  it("holds all of the old or all of the new, whichever call fails", () => {
    const folder = temporaryFolder("replace");
    const file = path.join(folder, "mine.json");
    fs.writeFileSync(file, "mine");
    for (const call of ["openSync", "writeFileSync", "fsyncSync", "renameSync"] as const) {
      const real = fs[call];
      Object.assign(fs, {
        [call]: (): never => {
          throw Object.assign(new Error(`ENOSPC: no space left on device, ${call}`), { code: "ENOSPC" });
        },
      });
      try {
        assert.throws(() => replaceFile(file, "new"), {
          name: "Complaint",
          message: `Cannot write ${file}: the disk is full (ENOSPC: no space left on device, ${call}). What was there is unchanged.`,
        });
      } finally {
        Object.assign(fs, { [call]: real });
      }
      assert.equal(fs.readFileSync(file, "utf8"), "mine");
      assert.deepEqual(fs.readdirSync(folder), ["mine.json"]);
    }
    replaceFile(file, "new");
    assert.equal(fs.readFileSync(file, "utf8"), "new");
  });

  it("keeps its permissions, and a link goes on pointing at it", function () {
    if (process.platform === "win32") skip(this, "needs a POSIX system");
    const folder = temporaryFolder("replace");
    const file = path.join(folder, "real.json");
    fs.writeFileSync(file, "old");
    fs.chmodSync(file, 0o640);
    fs.symlinkSync("real.json", path.join(folder, "link.json"));
    replaceFile(path.join(folder, "link.json"), "new");
    assert.ok(fs.lstatSync(path.join(folder, "link.json")).isSymbolicLink());
    assert.equal(fs.readFileSync(file, "utf8"), "new");
    assert.equal(fs.statSync(file).mode & 0o777, 0o640);
    replaceFile(path.join(folder, "key"), "secret", 0o600);
    assert.equal(fs.statSync(path.join(folder, "key")).mode & 0o777, 0o600);
    assert.throws(() => replaceFile(folder, ""), /^Complaint: Cannot write .*: EISDIR: .* unchanged\.$/);
  });

  /** A folder that admits no new file, and a file that is a mount point. */
  const closed = [
    ["openSync", "EACCES"],
    ["openSync", "EROFS"],
    ["renameSync", "EBUSY"],
    ["renameSync", "EXDEV"],
  ] as const;
  for (const [call, code] of closed) {
    it(`is written in place where nothing can take its place: ${call} says ${code}`, () => {
      const folder = temporaryFolder("replace");
      const file = path.join(folder, "mine.json");
      fs.writeFileSync(file, "a longer text of mine", { mode: 0o640 });
      const { ino, mode } = fs.statSync(file);
      const real = { ...fs };
      const temporary = temporaryFolder("replace");
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
        assert.throws(() => replaceFile(path.join(folder, "not there.json"), "new"), { code });

        // The disk is full: the last write goes wrong, the third one after those of the two copies.
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
      assert.deepEqual(fs.readdirSync(folder), ["mine.json"]);
    });
  }

  it("is the notebook as it was where the disk is full: `pictures`, `run --write`", async () => {
    const folder = temporaryFolder("replace");
    const preload = path.join(folder, "full-disk.cjs");
    fs.writeFileSync(preload, fullDisk);
    const env = { NODE_OPTIONS: `--require ${JSON.stringify(preload)}`, TURNWISE_TYPES: "off" };
    const file = path.join(folder, "lesson.ipynb");
    const text = JSON.stringify(notebookOf(code("1 + 1")));
    fs.writeFileSync(file, text);
    for (const args of [
      ["pictures", file],
      ["run", file, "--write", "--out", path.join(folder, "out")],
    ]) {
      const { code: status, stderr } = await turnwise(args, { env });
      assert.equal(status, 1, stderr);
      assert.match(
        stderr,
        /Cannot write [^ ]*replace[^/]*\/lesson\.ipynb: the disk is full \(ENOSPC: .*\)\. What was there is unchanged\.\n/,
      );
      assert.doesNotMatch(stderr, /\n {4}at /);
      assert.equal(fs.readFileSync(file, "utf8"), text);
    }
    assert.deepEqual(fs.readdirSync(folder).sort(), ["full-disk.cjs", "lesson.ipynb", "out"]);
  }).timeout(60_000);
});
