import assert from "node:assert/strict";
import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { History, type HistoryEntry } from "turnwise-kernel/dist/front/history.js";
import { jupyterEnvironment, projectFolders } from "turnwise-kernel/dist/cli/folders.js";
import { openHistory } from "turnwise-kernel/dist/front/history-file.js";
import { until } from "../support/process.js";
import { temporaryFolder } from "./with-kernel.js";

describe("history", () => {
  const folder = temporaryFolder();
  const entries: HistoryEntry[] = [
    [1, 1, "let a = 1"],
    [1, 2, "a + 1"],
    [2, 1, "let b = 2"],
    [2, 2, "a + 1"],
    [2, 3, "b * 2"],
  ];
  const history = new History(entries, 2);

  it("gives the last entries", () => {
    assert.deepEqual(history.query({ hist_access_type: "tail", n: 2 }), entries.slice(3));
    assert.deepEqual(history.query({ hist_access_type: "tail", n: 0 }), []);
  });

  it("gives a range of a session, by its number or counted back from this one", () => {
    assert.deepEqual(history.query({ hist_access_type: "range", session: 1, start: 1, stop: 2 }), [
      entries[0],
    ]);
    assert.deepEqual(history.query({ hist_access_type: "range", session: 0, start: 3 }), [entries[4]]);
    assert.deepEqual(history.query({ hist_access_type: "range", session: -1, start: 2 }), [entries[1]]);
  });

  it("searches by a pattern with * and ?, and keeps only the last of equal cells if asked", () => {
    assert.deepEqual(history.query({ hist_access_type: "search", pattern: "let ? = *" }), [
      entries[0],
      entries[2],
    ]);
    assert.deepEqual(history.query({ hist_access_type: "search", pattern: "a + 1", unique: true }), [
      entries[3],
    ]);
    assert.deepEqual(history.query({ hist_access_type: "search", pattern: "*", n: 1 }), [entries[4]]);
    assert.deepEqual(
      history.query({ hist_access_type: "search", pattern: "b (.)" }),
      [],
      "no regular expression",
    );
  });

  it("outlives the kernel in a file that only its owner can read, and skips torn lines", async () => {
    const path = join(folder(), "deep", "history.jsonl");
    const first = openHistory(path);
    first.add(1, "let kept = 'ä\\n'");
    await until("the entry in the file", () => existsSync(path) && statSync(path).size > 0);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    appendFileSync(path, '[1, 2, "torn\n[1, "x", 3]\n');
    const second = openHistory(path);
    assert.equal(second.session, 2);
    assert.deepEqual(second.query({ hist_access_type: "tail" }), [[1, 1, "let kept = 'ä\\n'"]]);
    assert.match(readFileSync(path, "utf8"), /^\[1,1,/);
  });

  it("is kept in the project's own state by turnwise lab, unless the person says where", () => {
    const folders = projectFolders("/project");
    const path = (env: NodeJS.ProcessEnv): string | undefined =>
      jupyterEnvironment(folders, env).TURNWISE_HISTORY;
    assert.equal(path({ HOME: "/home/ada" }), join("/project", ".turnwise", "history.jsonl"));
    assert.equal(path({ HOME: "/home/ada", TURNWISE_HISTORY: "" }), "");
  });

  it("stays in memory if no file is named or none can be written", () => {
    for (const path of ["", join(folder(), "deep", "history.jsonl", "under-a-file.jsonl")]) {
      const memory = openHistory(path);
      memory.add(1, "x");
      assert.equal(memory.query({ hist_access_type: "tail" }).length, 1);
    }
  });

  it("cuts a file down to what is read of it, once it has grown to twice that", () => {
    const path = join(folder(), "long.jsonl");
    const lines = (n: number): string =>
      Array.from({ length: n }, (_, i) => JSON.stringify([1, i + 1, `cell ${i + 1}`]) + "\n").join("");
    const count = (): number => readFileSync(path, "utf8").trimEnd().split("\n").length;
    appendFileSync(path, lines(2_000));
    openHistory(path);
    assert.equal(count(), 2_000);
    appendFileSync(path, JSON.stringify([1, 2_001, "the last"]) + "\n");
    openHistory(path);
    assert.equal(count(), 1_000);
    assert.match(readFileSync(path, "utf8"), /^\[1,1002,"cell 1002"\][^]*\[1,2001,"the last"\]\n$/);
  });
});
