import assert from "node:assert/strict";
import { Board } from "turnwise/internal/sweep/board";
import { jobsOf } from "turnwise/internal/sweep/plan";

describe("the book-keeping of a sweep", () => {
  const plan = { task: { export: "x" }, grid: { x: ["a", "b", "c"] }, seeds: [0, 1, 2] };
  const row = (key: string, seconds: number) => ({ key, cell: {}, seed: 0, value: 0, seconds });

  it("starts seed by seed, and within a seed the setting that has taken longest", () => {
    const jobs = jobsOf(plan);
    const board = new Board(plan, jobs, []);
    const next = (): string => board.nextLongest()!.key;
    assert.deepEqual([next(), next(), next()], ["x=a seed=0", "x=b seed=0", "x=c seed=0"]);
    board.done(jobs[0]!, row("x=a seed=0", 1));
    board.done(jobs[1]!, row("x=b seed=0", 3));
    // Of c nothing is known: it may be the longest.
    assert.deepEqual([next(), next()], ["x=c seed=1", "x=b seed=1"]);
    board.done(jobs[2]!, row("x=c seed=0", 2));
    board.done(jobs[4]!, row("x=b seed=1", 0)); // b: 3 and 0 s, 1.5 in the mean; a 1, c 2
    assert.deepEqual(
      [next(), next(), next(), next()],
      ["x=a seed=1", "x=c seed=2", "x=b seed=2", "x=a seed=2"],
    );
    assert.equal(board.nextLongest(), undefined);
  });

  it("knows the times of a file that it goes on with", () => {
    const board = new Board(plan, jobsOf(plan), [
      row("x=a seed=0", 1),
      row("x=b seed=0", 5),
      row("x=c seed=0", 9),
    ]);
    assert.equal(board.nextLongest()!.key, "x=c seed=1");
    assert.equal(board.next()!.key, "x=a seed=1");
  });

  it("gives a setting up if its first seeds are below the bound, not if one of them is at it", () => {
    const gated = { ...plan, seeds: [0, 1, 2], prune: { seeds: 2, below: 0.5 }, metric: "success" };
    const decided = (...success: number[]): readonly string[] =>
      new Board(
        gated,
        jobsOf(gated),
        success.map((one, seed) => ({ ...row(`x=a seed=${seed}`, 1), seed, value: { success: one } })),
      ).pruned;
    assert.deepEqual(decided(0.49, 0.49), ["x=a"]);
    assert.deepEqual(decided(0.5, 0.5), []);
    assert.deepEqual(decided(0.49, 0.5), []);
  });

  it("starts no later seed of a setting that may be given up before the first have decided", () => {
    const gated = { ...plan, prune: { seeds: 1, below: 1 } };
    const jobs = jobsOf(gated);
    const board = new Board(gated, jobs, []);
    for (let i = 0; i < 3; i++) board.nextLongest();
    assert.equal(board.nextLongest(), undefined);
    board.done(jobs[0]!, { ...row("x=a seed=0", 1), value: 2 });
    board.done(jobs[1]!, { ...row("x=b seed=0", 9), value: 0 });
    assert.equal(board.nextLongest()!.key, "x=a seed=1");
    assert.deepEqual(board.pruned, ["x=b"]);
  });
});
