// Uses internals of turnwise/base.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs, { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { lock, unlock } from "turnwise/internal/base/host/files/lock";
import { removeTemporaryFolders, temporaryFolder } from "../../support/command.js";

describe("the lock of a file", () => {
  after(removeTemporaryFolders);
  let file: string;
  let name: string;
  beforeEach(() => {
    file = path.join(temporaryFolder(), "records.jsonl");
    name = `${file}.lock`;
  });
  /** The lock of the parent of this process, which lives and is not this one. */
  const living = `${process.ppid}@${hostname()} 2026-01-01T00:00:00.000Z`;
  const dead = (): string =>
    `${spawnSync(process.execPath, ["-e", ""]).pid}@${hostname()} 2026-01-01T00:00:00.000Z`;

  it("is taken from a dead process of this machine, and refused with the owner's name from a living one or another machine", () => {
    writeFileSync(name, dead());
    lock(file);
    assert.match(readFileSync(name, "utf8"), new RegExp(`^${process.pid}@`));
    unlock(file);
    assert.deepEqual(readdirSync(path.dirname(file)), []);
    for (const [owner, told] of [
      [living, `process ${process.ppid} on ${hostname()} does, since 2026-01-01 00:00:00 UTC`],
      ["7@elsewhere 2026-01-01T00:00:00.000Z", "process 7 of elsewhere does, since 2026-01-01 00:00:00 UTC"],
    ] as const) {
      writeFileSync(name, owner);
      assert.throws(() => lock(file), {
        name: "RangeError",
        message: `Cannot write ${file}: only one process at a time may write it, and ${told} (if it does not, delete records.jsonl.lock).`,
      });
      assert.equal(readFileSync(name, "utf8"), owner);
    }
  });

  it("is removed by its owner alone: one that another process has taken meanwhile stays, as does one never taken here", () => {
    lock(file);
    // Someone has followed the message and deleted it.
    writeFileSync(name, living);
    unlock(file);
    assert.equal(readFileSync(name, "utf8"), living);
    unlock(file);
    assert.equal(readFileSync(name, "utf8"), living);
    fs.rmSync(name);
    lock(file);
    unlock(file);
    assert.ok(!existsSync(name), "it can be taken again");
  });

  it("is held by one process, also if several find the same dead one", () => {
    const original = { readFileSync: fs.readFileSync, renameSync: fs.renameSync, rmSync: fs.rmSync };
    let last = dead();
    writeFileSync(name, last);
    let others = 0;
    /** Another living process takes the lock, if it is free. */
    const other = (): void => {
      if (existsSync(name)) return;
      last = living.replace("2026-01-01", `2026-01-0${++others}`);
      writeFileSync(name, last);
    };
    let first = true;
    fs.readFileSync = ((...all: Parameters<typeof readFileSync>) => {
      const content = original.readFileSync(...all);
      // Right after this process has read the lock of the dead one, another takes it over.
      if (all[0] === name && first) {
        first = false;
        original.rmSync(name);
        other();
      }
      return content;
    }) as typeof readFileSync;
    fs.renameSync = (...all) => {
      original.renameSync(...all);
      other();
    };
    fs.rmSync = (...all) => {
      original.rmSync(...all);
      other();
    };
    try {
      assert.throws(() => lock(file), /only one process at a time may write it/);
    } finally {
      Object.assign(fs, original);
    }
    assert.equal(readFileSync(name, "utf8"), last, "the last that has taken it has it");
    assert.equal(others, 1, "it was free once");
    assert.deepEqual(readdirSync(path.dirname(file)), ["records.jsonl.lock"]);
  });
});
