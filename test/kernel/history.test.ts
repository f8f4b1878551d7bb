import assert from "node:assert/strict";
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
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

  it("searches by any number of stars at once, of which each takes the first place that fits", () => {
    const long = new History([[1, 1, "a".repeat(5_000)]], 2);
    const found = (pattern: string): number => long.query({ hist_access_type: "search", pattern }).length;
    assert.equal(found("*a".repeat(500)), 1);
    assert.equal(found(`${"*a".repeat(500)}*b*`), 0);
    assert.equal(found(`${"*?a".repeat(500)}b`), 0);
    // "a + 1": its end may not be taken twice, by a part between two stars and by the last one.
    const forms = {
      "*1": 3,
      "a*1": 2,
      "*+*1*": 2,
      "*1*1": 0,
      "a*?*1": 2,
      "?": 0,
      "a + 1?": 0,
      "**": 5,
      "": 0,
    };
    for (const [pattern, times] of Object.entries(forms)) {
      const all = history.query({ hist_access_type: "search", pattern }).map((entry) => entry[2]);
      assert.equal(all.length, times, `${pattern}: ${all.join("; ")}`);
    }
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

  it("leaves a file that holds something else as it is, and says so", () => {
    const others = {
      "notes.txt": "one line\n".repeat(3_000),
      "data.jsonl": '{"reward": 1}\n'.repeat(3_000),
      "pairs.jsonl": "[1, 2]\n".repeat(3_000),
      "bytes.bin": "\u0000\u0001\n".repeat(3_000),
    };
    for (const [name, text] of Object.entries(others)) {
      const path = join(folder(), name);
      writeFileSync(path, text);
      const said: string[] = [];
      openHistory(path, (line) => said.push(line)).add(1, "x");
      assert.match(said.join(), new RegExp(`Cannot keep the history in .*${name}: each line .* left alone`));
      assert.equal(readFileSync(path, "utf8"), text);
    }
  });

  it("drops no line of a file that holds more than cells", () => {
    const path = join(folder(), "mixed.jsonl");
    const text = '[1, 1, "a cell"]\n'.repeat(1_500) + "a note\n".repeat(1_000);
    writeFileSync(path, text);
    assert.equal(openHistory(path).query({ hist_access_type: "tail" }).length, 1_000);
    assert.equal(readFileSync(path, "utf8"), text);
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
