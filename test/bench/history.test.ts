import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { removeTemporaryFolders, temporaryFolder } from "../support/command.js";
import { changes, comparison, remember, runsOf, type Run } from "./history.js";

const run = (own: number, torch: number, o: Partial<Run> = {}): Run => ({
  part: "update",
  commit: "abc1234",
  date: "2026-11-23T03:00:00.000Z",
  quick: false,
  machine: "2 x Some processor, linux x64",
  node: "24.21.0",
  load: [0.1, 1.9],
  versions: { torch: "2.15.0" },
  figures: [
    { work: "mlp 64", contender: "fused", wall: 99, processor: own },
    { work: "mlp 64", contender: "torch 1T", wall: 99, processor: torch },
  ],
  ...o,
});

describe("history of benchmarks", () => {
  after(removeTemporaryFolders);

  it("calls a commit slower by what ours took more than the others did, and not by a busier machine", () => {
    // Twice the time on both sides: the machine.
    assert.deepEqual(changes(run(1, 4), run(2, 8)), [
      { work: "mlp 64", contender: "fused", times: 1, verdict: "the same" },
    ]);
    // 3 times ours, 2 times theirs: 3 / 2 = 1.5, above 1.25.
    assert.deepEqual(
      changes(run(1, 4), run(3, 8)).map(({ verdict }) => verdict),
      ["slower"],
    );
    // Ours as before and theirs twice: .5, below .8.
    assert.deepEqual(
      changes(run(1, 4), run(1, 8)).map(({ verdict, times }) => [verdict, times]),
      [["faster", 0.5]],
    );
  });

  it("takes wall time where no processor time is known, and no yardstick where there is none", () => {
    const alone = (wall: number): Run => run(0, 0, { figures: [{ work: "x", contender: "fused", wall }] });
    assert.deepEqual(changes(alone(10), alone(13)), [
      { work: "x", contender: "fused", times: 1.3, verdict: "slower" },
    ]);
  });

  it("compares the newest run with the last one of the same machine, size and Node", () => {
    const folder = temporaryFolder();
    assert.equal(
      comparison(folder, "update"),
      "update: nothing to compare with yet on this machine and Node.",
    );
    remember(folder, run(1, 4, { commit: "first00" }));
    remember(folder, run(9, 4, { machine: "another" }));
    remember(folder, run(9, 4, { quick: true }));
    remember(folder, run(9, 4, { node: "20.20.2" }));
    remember(folder, run(2, 4, { commit: "second0" }));
    assert.equal(runsOf(folder, "update").length, 5);
    assert.equal(
      comparison(folder, "update"),
      "update: second0 of 2026-11-23 (Node 24.21.0, load 0.1 to 1.9) against first00 of 2026-11-23 " +
        "(Node 24.21.0, load 0.1 to 1.9): 1 of 1 figures moved.\n\n" +
        "| work | | times as long | |\n| --- | --- | --- | --- |\n| mlp 64 | fused | 2 | slower |".replace(
          /\| \|/g,
          "|  |",
        ),
    );
  });

  it("reads past an empty last line only: a broken line is an error, not a gap", () => {
    const folder = temporaryFolder();
    remember(folder, run(1, 1));
    appendFileSync(join(folder, "update.jsonl"), "{ broken\n");
    assert.throws(() => runsOf(folder, "update"), SyntaxError);
  });
});
