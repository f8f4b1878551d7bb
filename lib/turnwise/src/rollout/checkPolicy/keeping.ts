import type { Policy, PolicyState } from "../../policy/policy";
import { fail, flat, furthest, move, type Check } from "./trial";

export const sharedClone = [
  "the original changes when its clone is trained",
  "clone must copy the parameters",
] as const;

/** A copy says the same, and goes its own way. */
export const clones: Check = ({ policy, batch }) => {
  const before = flat(policy.evaluate(batch));
  const copy = policy.clone();
  if (furthest(before, flat(copy.evaluate(batch))).by > 1e-6) {
    fail(
      policy,
      "clone evaluates differently from its original",
      "copy all parameters, and all else that matters",
    );
  }
  move(copy, "move a copy", 0.5);
  const { by } = furthest(before, flat(policy.evaluate(batch)));
  if (by > 0) fail(policy, ...sharedClone);
  return "the same, and independent";
};

/** A checkpoint as it is written to a file brings everything back. */
export const restores: Check = ({ policy, batch }) => {
  const fresh = policy.clone();
  const before = flat(policy.evaluate(batch));
  const state = JSON.parse(JSON.stringify(policy.state())) as PolicyState;
  move(fresh, "move a copy", 0.5);
  fresh.restore(state);
  if (furthest(before, flat(fresh.evaluate(batch))).by > 1e-6) {
    fail(
      policy,
      "restore(state()) evaluates differently",
      "state must be plain JSON data that says everything, and restore must read it",
    );
  }
  if (fresh.snapshot) {
    const shot = fresh.snapshot();
    move(fresh, "move a copy", 0.5);
    fresh.restore(shot);
    if (furthest(before, flat(fresh.evaluate(batch))).by > 1e-6) {
      fail(policy, "restore(snapshot()) evaluates differently", "the snapshot must be a copy");
    }
  }
  expectRefusal(policy, { name: `${policy.name}?`, parameters: state.parameters });
  return `${policy.parameters.length} parameters`;
};

/** It would train on with the weights of something else. */
function expectRefusal(policy: Policy, foreign: PolicyState): void {
  const copy = policy.clone();
  try {
    copy.restore(foreign);
  } catch (error) {
    if (error instanceof TypeError) return;
  }
  fail(
    policy,
    `restore takes the state of a policy named "${foreign.name}"`,
    "throw a TypeError unless the names agree",
  );
}

/** The table of parameters, where there is one, counts each of them once. */
export const table: Check = ({ policy }) => {
  const rows = policy.parameterTable?.();
  if (!rows) return undefined;
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  if (total !== policy.parameters.length) {
    fail(
      policy,
      `parameterTable counts ${total} of ${policy.parameters.length} parameters`,
      "list every block once",
    );
  }
  for (const { name, shape, count } of rows) {
    if (shape.reduce((a, b) => a * b, 1) === count) continue;
    fail(
      policy,
      `parameterTable says ${name} has shape [${shape.join(", ")}] and ${count} entries`,
      "the count is the product",
    );
  }
  return rows.map(({ name, shape }) => `${name} ${shape.join(" x ")}`).join(", ");
};
