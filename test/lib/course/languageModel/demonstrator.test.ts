import assert from "node:assert/strict";
import { createRng, make, type Env, type Observation } from "turnwise";
import { demonstrator, drawDemonstrations } from "turnwise-course/language-model";

interface Shown {
  readonly said: readonly string[];
  readonly infos: readonly Readonly<Record<string, unknown>>[];
  readonly words: readonly (readonly string[])[];
}

/** Episodes of a demonstrator, with the world's texts and the words of its turns. */
function episodes(env: Env, skill: number, count: number): Shown[] {
  const teacher = demonstrator(env, { skill });
  return Array.from({ length: count }, (_, seed) => {
    const rng = createRng(seed);
    const observations: Observation[] = [env.reset({ seed })[0]];
    const actions: (readonly number[])[] = [];
    const infos: Readonly<Record<string, unknown>>[] = [];
    for (let over = false; !over;) {
      const tokens = teacher({ observations, actions }, rng.split("turn", actions.length));
      const [observation, , terminated, truncated, info] = env.step(tokens);
      observations.push(observation);
      actions.push(tokens);
      infos.push(info);
      over = terminated || truncated;
    }
    const words = actions.map((action) => action.map((token) => env.spec.vocabulary[token]!));
    return { said: observations.map(({ text }) => text), infos, words };
  });
}

const calculator = (level: number): Env => make("Calculator-v0", { syntax: "digits", level });

describe("demonstrator", () => {
  it("writes well-formed calls alone, in both worlds and at every level", () => {
    const worlds = [...[1, 2, 3].map(calculator), make("SearchQa-v0"), make("SearchQa-v0", { level: 3 })];
    for (const env of worlds) {
      const infos = episodes(env, 0.3, 60).flatMap((one) => one.infos);
      assert.deepEqual(
        infos.filter(({ call }) => call === "malformed"),
        [],
      );
    }
  });

  it("of full skill hands in every result that is there, and solves what the calculator has calculated", () => {
    const shown = episodes(calculator(2), 1, 200).filter(({ said }) => said.length > 2);
    assert.ok(shown.length > 100, `${shown.length} episodes with a call`);
    for (const { said, words, infos } of shown) {
      const result = /^result: (\d+)$/.exec(said[1]!)![1]!;
      assert.deepEqual(words[1], ["ANSWER", ...result, "END"]);
      if (words[0]![0] === "CALL") assert.equal(infos[1]!["success"], true);
    }
  });

  it("of full skill answers every question of SearchQa", () => {
    for (const level of [1, 2, 3]) {
      const shown = episodes(make("SearchQa-v0", { level }), 1, 100);
      assert.ok(shown.every(({ infos }) => infos.at(-1)!["success"] === true));
    }
  });

  it("without skill is right no more often than a guess", () => {
    // Residues modulo 5 to 11: a guess below the modulus is right at most every fifth time.
    const shown = episodes(calculator(2), 0, 1000);
    const right = shown.filter(({ infos }) => infos.at(-1)!["success"] === true).length;
    assert.ok(right < 200, `${right}`);
  });

  it("refuses a world that nobody has shown it, and a skill that is no share", () => {
    assert.throws(() => demonstrator(make("LookUp-v0"), { skill: 0.5 }), {
      name: "RangeError",
      message:
        'Cannot demonstrate: the world must be SearchQa-v0 or Calculator-v0 with syntax "digits", got LookUp-v0.',
    });
    assert.throws(() => demonstrator(make("SearchQa-v0"), { skill: 2 }), {
      name: "RangeError",
      message: "Cannot compute demonstrations: skill must be from 0 to 1, got 2.",
    });
  });

  it("can be drawn: its words, without the end token", () => {
    const text = String(drawDemonstrations(calculator(2), demonstrator(calculator(2), { skill: 1 })));
    assert.match(text, /CALL \d/);
    assert.ok(!text.includes("END"), text);
  });
});
