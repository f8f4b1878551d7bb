import assert from "node:assert/strict";
import { autodiffPolicy, enumerateReturn, make, recipe, train, type Env, type RecipeName } from "turnwise";

/** Weights on the latest tokens, and for each place of a turn a head start for the tokens of well-formed calls. */
export const linear = autodiffPolicy({
  name: "linear",
  parameters: (s) => ({
    W: [s.features, s.vocabulary],
    b: { shape: [s.maxTokens, s.vocabulary], init: [3, 3, 0, 0, 0, 0, 0, 0, 3, 3, 3, 3] },
    v: { shape: [s.features, 1], init: 0 },
  }),
  logits: (tf, { W, b }, x) => tf.add(tf.matMul(x.features, W), tf.gather(b, x.place)),
  value: (tf, { v }, x) => tf.matMul(x.features, v),
});

/** The return that is called learned. A pupil becomes as good as its teacher, who writes a token of its own in one of a hundred cases. */
export const goalOf = (name: RecipeName): number => (name === "onPolicyDistillation" ? 0.94 : 0.98);

/** MaxRL is made for rewards of 0 and 1: it leaves groups alone in which penalties outweigh what was won. */
const worldOf = (name: RecipeName): Env =>
  make("LookUp-v0", name === "maxRl" ? { wrongPenalty: 0 } : undefined);

/**
 * Trains the linear policy by a recipe until one of three seeds ends above the goal: LookUp-v0 has local optima (one fact is
 * always guessed), in which some seeds of every recipe stay.
 */
export async function learns(name: RecipeName): Promise<void> {
  const [world, goal] = [worldOf(name), goalOf(name)];
  const row = recipe(name, { update: { optimizer: { kind: "adam", learningRate: 0.05 } } });
  const ends: number[] = [];
  for (let seed = 0; seed < 3 && !ends.some((J) => J > goal); seed++) {
    const policy = linear(world, { seed });
    const begin = enumerateReturn(world, policy).J;
    assert.ok(begin < 0.5, `it began at ${begin}`);
    const records = train({ env: world, policy, recipe: row, updates: 150, seed });
    while (!(await records.next()).done);
    ends.push(enumerateReturn(world, policy).J);
  }
  assert.ok(
    ends.some((J) => J > goal),
    `the returns are ${ends.join(", ")}, the optimum 1`,
  );
}
