import assert from "node:assert/strict";
import { calculatorTasks, checkEnv, curriculum, LevelSampler, make, type Env, createRng } from "turnwise";
import { writeTurn } from "turnwise/internal/env/index";

const tasks = [1, 2, 3].flatMap((level) => calculatorTasks(level, 24));
const levelsOf = (): Env[] => [1, 2, 3].map((drawLevel) => make("Calculator-v0", { tasks, drawLevel }));
const near = (actual: number, expected: number, tolerance = 1e-12): void =>
  assert.ok(Math.abs(actual - expected) < tolerance, `${actual} is not ${expected}`);

describe("LevelSampler", () => {
  it("estimates (s + 1) / (n + 2) and weighs levels by a bell around the target", () => {
    const sampler = new LevelSampler({ levels: 3, floor: 0.1, width: 0.25, decay: 0.5 });
    for (let i = 0; i < 6; i++) sampler.record(1, true);
    for (let i = 0; i < 6; i++) sampler.record(2, i < 3);
    for (let i = 0; i < 6; i++) sampler.record(3, false);
    assert.deepEqual(
      sampler.probabilities(),
      [1, 1, 1].map(() => 0.9 * (1 / 3) + 0.1 / 3),
    ); // nothing has effect yet
    sampler.advance();
    assert.deepEqual(
      [1, 2, 3].map((level) => sampler.estimate(level)),
      [7 / 8, 1 / 2, 1 / 8],
    );
    // (3/8) / (1/4) = 1.5, so the outer weights are exp(-1.125) against 1.
    const outer = Math.exp(-1.125);
    const [easy, middle, hard] = sampler.probabilities();
    near(middle!, 0.9 / (1 + 2 * outer) + 0.1 / 3);
    near(easy!, (0.9 * outer) / (1 + 2 * outer) + 0.1 / 3);
    near(hard!, easy!);
    sampler.advance(); // half of what was known fades: 3 of 3
    near(sampler.estimate(1), 4 / 5);
  });

  it("keeps a learner near the target as its skill grows, where uniform draws do not", () => {
    const levels = 8;
    const rng = createRng(3);
    const successOf = (level: number, skill: number): number => 1 / (1 + Math.exp(2 * (level - skill)));
    const run = (draw: (sampler: LevelSampler) => number): number => {
      const sampler = new LevelSampler({ levels });
      let distance = 0;
      for (let update = 0; update < 200; update++) {
        const skill = 1 + (6 * update) / 200;
        for (let i = 0; i < 32; i++) {
          const level = draw(sampler);
          const p = successOf(level, skill);
          sampler.record(level, rng.next() < p);
          if (update >= 20) distance += Math.abs(p - 0.5) / (180 * 32);
        }
        sampler.advance();
      }
      return distance;
    };
    const aimed = run((sampler) => sampler.draw(rng));
    const uniform = run(() => 1 + rng.below(levels));
    // A skill half way between two levels leaves both at 1/2 +- .23, and one draw in ten is uniform.
    assert.ok(aimed < 0.28, `mean distance from the target ${aimed}`);
    assert.ok(aimed < 0.7 * uniform, `${aimed} against ${uniform} of uniform draws`);
  });

  it("draws with the probabilities that it states", () => {
    const sampler = new LevelSampler({ levels: 3 });
    for (let i = 0; i < 10; i++) sampler.record(3, false);
    sampler.advance();
    const rng = createRng(1);
    const count = [0, 0, 0];
    for (let i = 0; i < 20_000; i++) count[sampler.draw(rng) - 1]!++;
    sampler.probabilities().forEach((p, l) => {
      near(count[l]! / 20_000, p, 5 * Math.sqrt((p * (1 - p)) / 20_000));
    });
  });

  it("goes on from a saved state as if it had never stopped", () => {
    const sampler = new LevelSampler({ levels: 2 });
    sampler.record(1, true);
    sampler.advance();
    sampler.record(2, false);
    const restored = new LevelSampler({ levels: 2 });
    restored.restore(JSON.parse(JSON.stringify(sampler.state())) as ReturnType<LevelSampler["state"]>);
    sampler.advance();
    restored.advance();
    assert.deepEqual(restored.probabilities(), sampler.probabilities());
    assert.throws(() => new LevelSampler({ levels: 3 }).restore(sampler.state()), {
      name: "TypeError",
      message: "Cannot restore a level sampler: the state must have 3 levels, but it has 2, 2, 2, 2.",
    });
  });

  it("names the option that it cannot use", () => {
    const cases: [object, string][] = [
      [{ levels: 0 }, "levels must be an integer >= 1, got 0."],
      [{ levels: 2, target: 1.5 }, "target must be in [0, 1], got 1.5."],
      [{ levels: 2, width: 0 }, "width must be > 0, got 0."],
      [{ levels: 2, decay: NaN }, "decay must be in [0, 1], got NaN."],
    ];
    for (const [options, problem] of cases) {
      assert.throws(() => new LevelSampler(options as { levels: number }), {
        name: "RangeError",
        message: `Cannot make a level sampler: ${problem}`,
      });
    }
    assert.throws(() => new LevelSampler({ levels: 2 }).record(3, true), {
      name: "RangeError",
      message: "Cannot use a level: it must be an integer from 1 to 2, got 3.",
    });
  });
});

describe("curriculum()", () => {
  it("keeps the contract of an environment", () => {
    checkEnv(curriculum(levelsOf(), new LevelSampler({ levels: 3 })));
  });

  it("draws the level from the seed: members of a group and twins share it", () => {
    const env = curriculum(levelsOf(), new LevelSampler({ levels: 3 }));
    const twin = curriculum(levelsOf(), new LevelSampler({ levels: 3 }));
    const met = new Set<unknown>();
    for (let seed = 0; seed < 30; seed++) {
      const [observation, { level, taskId }] = env.reset({ seed });
      assert.match(String(taskId), new RegExp(`^calculator-${String(level)}-`));
      for (const member of [0, 1, 5]) {
        const again = twin.reset({ seed, member });
        assert.deepEqual([again[0], again[1]["level"], again[1]["taskId"]], [observation, level, taskId]);
      }
      met.add(level);
    }
    assert.equal(met.size, 3);
  });

  it("records the true success of every episode, forks included", () => {
    const sampler = new LevelSampler({ levels: 3 });
    const env = curriculum(levelsOf(), sampler).fork!()!;
    const wins = [0, 0, 0];
    const games = [0, 0, 0];
    for (let seed = 0; seed < 40; seed++) {
      const [, info] = env.reset({ seed });
      const answer = tasks.find(({ id }) => id === info["taskId"])!.answer;
      const level = (info["level"] as number) - 1;
      const right = seed % 2 === 0;
      games[level]!++;
      if (right) wins[level]!++;
      env.step(writeTurn(env.spec, `ANSWER ${right ? answer : answer === 0 ? 1 : 0}`));
    }
    const { newSuccesses, newEpisodes } = sampler.state();
    assert.deepEqual([newSuccesses, newEpisodes], [wins, games]);
  });

  it("refuses levels that one policy cannot play, or too few of them", () => {
    const apart = [1, 2].map((level) => make("Calculator-v0", { level }));
    assert.throws(() => curriculum(apart, new LevelSampler({ levels: 2 })), {
      name: "TypeError",
      message:
        "Cannot make a curriculum: all levels must share one vocabulary and turn length, but level 2 differs from level 1.",
    });
    assert.throws(() => curriculum(levelsOf(), new LevelSampler({ levels: 2 })), {
      name: "RangeError",
      message: "Cannot make a curriculum: there must be one environment for each of 2 levels, got 3.",
    });
  });
});
