import assert from "node:assert/strict";
import { make, optimalReturn, scriptedBatch, type EnumerableEnv } from "turnwise";
import { randomReturn } from "turnwise/exact";
import { expectGolden, transcript } from "./transcript";

const made = (options: Record<string, unknown> = {}): EnumerableEnv =>
  make("SubGoals-v0", options) as EnumerableEnv;
const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);

describe("SubGoals-v0", () => {
  it("its optimum switches twice, and not again where slips leave too few turns to deliver", () => {
    // No slips: 1 - 2 x .1.
    near(optimalReturn(made({ slip: 0 })).J, 0.8);
    // Slip .1, five turns. Taken up unless all of the first four STEPs slip: .3 (1 - .1^4).
    // Delivered if none of three STEPs slips: .7 x .9^3. SWITCH at once, and again if the first STEP did not slip: .1 + .1 x .9.
    near(optimalReturn(made({ slack: 0 })).J, 0.3 * (1 - 0.1 ** 4) + 0.7 * 0.9 ** 3 - 0.1 - 0.1 * 0.9);
    // Six turns: five STEPs for the first part, one slip allowed in all, .9^3 (1 + 3 x .1), and the second SWITCH pays if the
    // first STEP slipped less than twice.
    near(optimalReturn(made()).J, 0.3 * (1 - 0.1 ** 5) + 0.7 * 0.9 ** 3 * 1.3 - 0.1 - 0.1 * 0.99);
  });

  it("its random agent pays for switches and delivers next to nothing", () => {
    // Of 216 turns 4 switch, six turns, .1 each; what it earns is below .001.
    const costs = (-0.1 * 6 * 4) / 216;
    const random = randomReturn(made());
    assert.ok(random > costs && random < costs + 0.001, String(random));
  });

  it("walks to the subgoal, whatever is written beside KEEP, and nowhere without one", () => {
    const env = made({ slip: 0 });
    const [left] = env.start();
    const end = (words: readonly (readonly number[])[]): string => {
      let state = left!.state;
      let text = "";
      for (const turn of words) {
        const [outcome] = env.transition(state, turn);
        state = outcome!.state;
        text = outcome!.observation.text;
      }
      return text.split(", ").slice(0, 2).join(", ");
    };
    const [keep, turnTo, toLeft, toRight, step] = [0, 1, 2, 3, 4];
    assert.equal(end([[keep, toLeft, step]]), "at the middle, no subgoal");
    assert.equal(end([[turnTo, toRight, step]]), "at the right end, subgoal right");
    assert.equal(
      end([
        [turnTo, toRight, step],
        [keep, toLeft, step],
      ]),
      "at the right end, subgoal right",
    );
    assert.equal(
      end([
        [turnTo, toRight, step],
        [turnTo, toLeft, step],
      ]),
      "at the middle, subgoal left",
    );
    assert.match(end([[step, step, step]]), /^error: not KEEP or SWITCH/);
  });

  it("tells a batch where a subgoal was chosen, and what each of three words decides", () => {
    const batch = scriptedBatch(made(), [
      [
        ["SWITCH", "LEFT", "STEP"],
        ["KEEP", "LEFT", "STEP"],
        ["SWITCH", "RIGHT", "WORK"],
        ["SWITCH", "SWITCH", "WORK"],
      ],
    ]);
    // The last turn is malformed, so it chose nothing; turns five and six were not taken.
    assert.deepEqual([...batch.switch_nt!], [1, 0, 1, 0, 0, 0]);
    // 2 switch, 1 subgoal, 0 action.
    assert.deepEqual([...batch.role_ntl!.subarray(0, 6)], [2, 1, 0, 2, 1, 0]);
  });

  it("plays as its golden transcript says", () => {
    const env = made();
    const { act } = optimalReturn(env);
    expectGolden(
      "SubGoals-v0",
      transcript(env, "the optimal agent", 2, (seen) => act(seen)),
    );
  });
});
