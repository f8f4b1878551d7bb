import assert from "node:assert/strict";
import {
  checkEnv,
  curriculum,
  GameEnv,
  LevelSampler,
  make,
  RecordStatistics,
  RecordTranscript,
  Wrapper,
  type Action,
  type Env,
  type Game,
  type Observation,
  type StepResult,
} from "turnwise";
import { timeLimit } from "turnwise/internal/env/wrapper";
import { countSteps } from "turnwise/search";

const seen = (text: string): Observation => ({ tokens: [1], text });

/** Adds a die of three sides to a sum for five turns; the sum is hidden until the end. */
const dice: Game<{ readonly sum: number; readonly turn: number }> = {
  spec: {
    id: "Dice-v0",
    skill: "none: a die is thrown",
    vocabulary: ["throw"],
    observationVocabulary: ["rolled"],
    maxTurns: 5,
    maxTokens: 1,
    options: {},
  },
  start: () =>
    [0, 100].map((sum) => ({
      probability: 0.5,
      state: { sum, turn: 0 },
      observation: seen("start"),
      reward: 0,
      terminated: false,
    })),
  transition: ({ sum, turn }) =>
    [1, 2, 3].map((face) => ({
      probability: 1 / 3,
      state: { sum: sum + face, turn: turn + 1 },
      observation: seen("rolled"),
      reward: turn === 4 ? sum + face : 0,
      terminated: turn === 4,
    })),
  render: ({ sum, turn }) => `${sum} after ${turn} throws`,
};

const finish = (env: Env): number => {
  for (;;) {
    const [, reward, terminated, truncated] = env.step([0]);
    if (terminated || truncated) return reward;
  }
};

describe("env.branch()", () => {
  it("stands in the same hidden state, the start that nobody saw included", () => {
    const env = new GameEnv(dice);
    for (let seed = 0; seed < 20; seed++) {
      env.reset({ seed });
      env.step([0]);
      env.step([0]);
      const branch = env.branch(0);
      assert.equal(branch.render(), env.render());
      const [sum] = /^\d+/.exec(env.render())!;
      // Three throws are left, so that 3 to 9 are added to what the original had.
      const added = finish(branch) - Number(sum);
      assert.ok(added >= 3 && added <= 9, `${added}`);
    }
  });

  it("draws from a stream of its own: the same number gives the same draws, another number others", () => {
    const env = new GameEnv(dice);
    env.reset({ seed: 3 });
    env.step([0]);
    const ends = (stream: number): number => finish(env.branch(stream));
    assert.equal(ends(5), ends(5));
    const found = new Set(Array.from({ length: 30 }, (_, stream) => ends(stream)));
    // Four throws have nine sums, and thirty draws meet far more than three of them.
    assert.ok(found.size > 3, [...found].join());
  });

  it("gives branches of two turns, and branches of branches, streams that do not repeat each other", () => {
    const env = new GameEnv({
      ...dice,
      transition: (s, a) => dice.transition(s, a).map((o, i) => ({ ...o, reward: i })),
    });
    env.reset({ seed: 0 });
    const faces = (from: Env): string => Array.from({ length: 4 }, () => from.step([0])[1]).join("");
    const first = env.branch(0);
    const nested = first.branch(0);
    const before = faces(first);
    assert.notEqual(faces(nested), before);
    env.step([0]);
    assert.notEqual(faces(env.branch(0)), before);
  });

  it("leaves the original's draws as they are", () => {
    const env = new GameEnv(dice);
    env.reset({ seed: 9 });
    const alone = finish(env);
    env.reset({ seed: 9 });
    for (let t = 0; t < 3; t++) {
      finish(env.branch(t));
      env.step([0]);
    }
    assert.equal(finish(env), alone);
  });

  it("is refused where no episode is running", () => {
    const env = new GameEnv(dice);
    assert.throws(() => env.branch(0), {
      name: "ResetNeededError",
      message: "Cannot branch Dice-v0: no episode is running, reset was not called yet.",
    });
    env.reset({ seed: 0 });
    assert.throws(() => env.branch(-1), {
      name: "RangeError",
      message: "Cannot branch Dice-v0: stream must be an integer >= 0, got -1.",
    });
    finish(env);
    assert.throws(() => env.branch(0), {
      name: "ResetNeededError",
      message: "Cannot branch Dice-v0: no episode is running, the last one has ended. Call reset.",
    });
  });

  it("takes along what wrappers have noted: turns, returns, text and the level", () => {
    const limited = timeLimit(new GameEnv(dice), 3);
    limited.reset({ seed: 0 });
    limited.step([0]);
    const branch = limited.branch!(0)!;
    assert.deepEqual(
      [0, 0].map(() => branch.step([0])[3]),
      [false, true],
    );

    const statistics = new RecordStatistics(new GameEnv(dice));
    statistics.reset({ seed: 0 });
    statistics.step([0]);
    const counted = statistics.branch(0) as RecordStatistics;
    finish(counted);
    assert.equal(counted.episodes[0]!.turns, 5);
    assert.equal(statistics.episodes.length, 0);

    const transcript = new RecordTranscript(new GameEnv(dice));
    transcript.reset({ seed: 0 });
    const written = transcript.branch(0) as RecordTranscript;
    written.step([0]);
    assert.ok(written.text.startsWith(transcript.text));
    assert.ok(!transcript.text.includes("writes"));

    const levels = [1, 2].map((length) => make("TMaze-v0", { length }));
    const climbing = curriculum(levels, new LevelSampler({ levels: 2 }));
    const [, { level }] = climbing.reset({ seed: 1 });
    assert.equal(climbing.branch!(0)!.step([0])[4]["level"], level);
  });

  it("is undefined for a custom wrapper that does not say how its notes are copied", () => {
    class Noting extends Wrapper {}
    const env = new Noting(new GameEnv(dice));
    env.reset({ seed: 0 });
    assert.equal(env.branch(0), undefined);
    checkEnv(env);
  });
});

describe("checkEnv() on branches", () => {
  /** A game whose branches are made by a function of the test. */
  class Branching extends Wrapper {
    constructor(
      inner: Env,
      private readonly how: (env: Env, stream: number) => Env,
      private readonly actions: Action[] = [],
      private readonly begun: { seed: number } = { seed: 0 },
    ) {
      super(inner);
    }
    override reset(options: { seed?: number; member?: number } = {}): ReturnType<Env["reset"]> {
      this.actions.length = 0;
      this.begun.seed = options.seed ?? 0;
      return super.reset(options);
    }
    override step(action: Action): StepResult {
      const result = super.step(action);
      this.actions.push(action);
      return result;
    }
    override branch(stream: number): Env {
      return this.how(this.inner, stream);
    }
  }
  const refuses = (how: (env: Env, stream: number) => Env, message: RegExp): void => {
    assert.throws(() => checkEnv(new Branching(new GameEnv(dice), how)), {
      name: "EnvContractError",
      message,
    });
  };

  it("accepts a branch that keeps its promises", () => {
    checkEnv(new Branching(new GameEnv(dice), (env, stream) => env.branch!(stream)!));
  });

  it("refuses a branch that is the original", () => {
    refuses(
      (env) => (env.branch!(0), env),
      /an episode ended while its branch was played \(a branch must leave its original alone/,
    );
  });

  it("refuses a branch that begins again", () => {
    refuses((env, stream) => {
      env.branch!(stream);
      const copy = env.fork!()!;
      copy.reset({ seed: 77 });
      return copy;
    }, /a branch stands elsewhere than the original/);
  });

  it("refuses branches of one number that differ", () => {
    let calls = 0;
    refuses((env) => env.branch!(calls++)!, /the same number must give the same branch/);
  });

  it("refuses a branch before reset", () => {
    refuses((env, stream) => {
      try {
        return env.branch!(stream)!;
      } catch {
        return env;
      }
    }, /branch before reset is accepted/);
  });

  it("refuses a branch that draws what the original draws", () => {
    class Replaying extends Branching {
      constructor(inner: Env) {
        super(inner, () => inner);
      }
      override branch(): Env {
        const copy = this.inner.fork!()!;
        this.inner.branch!(0);
        copy.reset({ seed: this["begun"].seed });
        for (const action of this["actions"]) copy.step(action);
        return copy;
      }
    }
    assert.throws(
      () =>
        checkEnv(
          new Replaying(
            new GameEnv({
              ...dice,
              start: () => [{ ...dice.start()[0]!, probability: 1 }],
              transition: (s, a) =>
                dice.transition(s, a).map((o, face) => ({ ...o, observation: seen(`rolled ${face}`) })),
            }),
          ),
        ),
      /a branch draws what the original draws/,
    );
  });
});

describe("countSteps()", () => {
  it("counts what is really stepped in copies and branches, and what they share once", () => {
    const env = countSteps(new GameEnv(dice));
    env.reset({ seed: 0 });
    env.step([0]);
    env.step([0]);
    // Two branches at turn 2 play three turns each; the fork plays one.
    finish(env.branch(0)!);
    finish(env.branch(1)!);
    const fork = env.fork()!;
    fork.reset({ seed: 0 });
    fork.step([0]);
    assert.equal(env.steps, 2 + 3 + 3 + 1);
    assert.throws(() => finish(fork) && fork.step([0]));
    // The four turns that were left count, the refused one does not.
    assert.equal(env.steps, 9 + 4);
  });
});
