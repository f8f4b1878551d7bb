import assert from "node:assert/strict";
import { createRng } from "turnwise";
import { anythingRow, anythingRun } from "turnwise-course/internal/08-step-credit/anythingRun";
import { atEqualScore } from "turnwise-course/internal/08-step-credit/equalScore";
import { judgedMaze } from "turnwise-course/internal/08-step-credit/judgedMaze";
import { TaskPool } from "turnwise-course/internal/08-step-credit/taskPool";

/** Plays slot 1 of two, whose levels are 1 and 2 at first, and solves that share of eight tries. */
function play(pool: TaskPool, solved: number, place: number): void {
  for (let k = 0; k < 8; k++) pool.record(place, k < solved * 8);
  pool.advance();
}
/** The level at which a slot is played next. */
const next = (pool: TaskPool, slot: number, levels = 3): number => {
  const own = pool.probabilities().slice(slot * levels, (slot + 1) * levels);
  return 1 + own.findIndex((p) => p > 0);
};

describe("TaskPool", () => {
  const made = (adapts = true): TaskPool => new TaskPool({ levels: 3, slots: 2, adapts });

  it("spreads its slots over the levels, and draws each as often", () => {
    const pool = made();
    assert.deepEqual(pool.accepted, [1, 2]);
    // Slot 0 at level 1 is place 1, slot 1 at level 2 place 3 + 2.
    assert.deepEqual(pool.probabilities(), [0.5, 0, 0, 0, 0.5, 0]);
    const drawn = new Set(Array.from({ length: 40 }, (_, k) => pool.draw(createRng(k))));
    assert.deepEqual([...drawn].sort(), [1, 5]);
  });

  it("tries a harder task where seven of eight succeed, and keeps it if two of eight still do", () => {
    const pool = made();
    play(pool, 7 / 8, 1);
    assert.equal(next(pool, 0), 2);
    assert.deepEqual(pool.accepted, [1, 2]);
    // 1/4 lies from .2 up and below 7/8.
    play(pool, 2 / 8, 2);
    assert.deepEqual(pool.accepted, [2, 2]);
  });

  it("goes back where the harder task is hopeless", () => {
    const pool = made();
    play(pool, 1, 1);
    play(pool, 1 / 8, 2);
    assert.deepEqual(pool.accepted, [1, 2]);
    assert.equal(next(pool, 0), 1);
  });

  it("tries an easier task where one of eight succeeds, and drops it if it is trivial", () => {
    const pool = made();
    play(pool, 1 / 8, 5);
    assert.equal(next(pool, 1), 1);
    // 7/8 lies above .8.
    play(pool, 7 / 8, 4);
    assert.deepEqual(pool.accepted, [1, 2]);
    play(pool, 1 / 8, 5);
    play(pool, 6 / 8, 4);
    assert.deepEqual(pool.accepted, [1, 1]);
  });

  it("leaves a task of middle accuracy alone, and one that no level is left for", () => {
    const pool = made();
    play(pool, 4 / 8, 5);
    assert.equal(next(pool, 1), 2);
    play(pool, 0, 1);
    assert.equal(next(pool, 0), 1);
  });

  it("rewrites nothing where tasks are fixed", () => {
    const pool = made(false);
    play(pool, 1, 1);
    assert.equal(next(pool, 0), 1);
  });

  it("goes on from its state", () => {
    const [pool, other] = [made(), made()];
    play(pool, 1, 1);
    other.restore(JSON.parse(JSON.stringify(pool.state())));
    assert.equal(next(other, 0), 2);
    play(other, 2 / 8, 2);
    assert.deepEqual(
      [pool.accepted, other.accepted],
      [
        [1, 2],
        [2, 2],
      ],
    );
  });
});

describe("judgedMaze()", () => {
  it("praises a step towards the junction and the right turn, and blames the rest", () => {
    const env = judgedMaze(1);
    const verdicts = (actions: readonly number[]): unknown[] => {
      env.reset({ seed: 0 });
      return actions.map((token) => env.step([token])[4]["verdict"]);
    };
    const [FORWARD, BACK, UP, DOWN] = [0, 1, 2, 3];
    assert.deepEqual(verdicts([FORWARD]), [1]);
    assert.deepEqual(verdicts([BACK]), [-1]);
    assert.deepEqual([verdicts([FORWARD, UP])[1], verdicts([FORWARD, DOWN])[1]].sort(), [-1, 1]);
  });
});

describe("anythingRun()", () => {
  it("pays the same row with votes, with votes of a judge that learns, and without", () => {
    const step = (arm: Parameters<typeof anythingRow>[0]) => anythingRow(arm).reward.step;
    assert.deepEqual(step("outcome alone"), { kind: "none" });
    assert.deepEqual(step("no votes"), { kind: "none" });
    const fixed = { kind: "vote", votes: 3, error: 0.2, learningRate: 0 };
    assert.deepEqual(step("judge fixed"), fixed);
    assert.deepEqual(step("all parts"), { ...fixed, learningRate: 1 });
    assert.deepEqual(step("tasks fixed"), { ...fixed, learningRate: 1 });
  });

  it("gives the same bits twice, and moves tasks only where they are adapted", async () => {
    const job = { world: "TMaze-v0", seed: 1, share: 0.3 } as const;
    const [one, two] = [
      await anythingRun({ ...job, arm: "all parts" }),
      await anythingRun({ ...job, arm: "all parts" }),
    ];
    assert.deepEqual(one, two);
    assert.notEqual(one.level, 3.5);
    // Six levels, each of four of the 24 tasks: 3.5 on average.
    assert.equal((await anythingRun({ ...job, arm: "tasks fixed" })).level, 3.5);
  }).timeout(20_000);
});

describe("atEqualScore()", () => {
  it("compares where both first come to the highest success of both, on straight lines between windows", () => {
    // The second never gets beyond .4. The first passes it half way from .2 to .6, where its false steps fall from .8 to .4.
    const first = { scores: [0, 0.2, 0.6, 0.9], falseSteps: [1, 0.8, 0.4, 0.1] };
    const second = { scores: [0.1, 0.4, 0.3], falseSteps: [0.9, 0.5, 0.6] };
    const { score, falseSteps } = atEqualScore(first, second);
    assert.equal(score, 0.4);
    assert.ok(Math.abs(falseSteps[0] - 0.6) < 1e-12, `${falseSteps[0]}`);
    assert.equal(falseSteps[1], 0.5);
  });

  it("takes the first window of a run that begins there", () => {
    const start = { scores: [0.5, 0.9], falseSteps: [0.3, 0] };
    const low = { scores: [0.2, 0.4], falseSteps: [0.7, 0.6] };
    assert.deepEqual(atEqualScore(start, low), { score: 0.4, falseSteps: [0.3, 0.6] });
  });
});
