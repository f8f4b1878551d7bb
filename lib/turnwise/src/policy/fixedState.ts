import type { Policy, PolicyState } from "./policy";

type FixedPolicy = Pick<Policy, "name" | "parameters">;

/** The state of a policy whose vector of parameters never grows, as a typed array: fast, but not JSON. */
export function fixedSnapshot({ name, parameters }: FixedPolicy): PolicyState {
  return { name, parameters: parameters.slice() };
}

/** The state of such a policy as plain JSON data. */
export function fixedState({ name, parameters }: FixedPolicy): PolicyState {
  return { name, parameters: Array.from(parameters) };
}

/**
 * Restores the parameters of a policy from a state.
 *
 * @throws {TypeError} if the state belongs to a policy of another kind or size
 */
export function restoreFixed(policy: FixedPolicy, state: PolicyState, title: string): void {
  const { length } = policy.parameters;
  if (state.name !== policy.name || state.parameters.length !== length) {
    throw new TypeError(
      `Cannot restore a ${title} policy: the state must have ${length} parameters, ` +
        `got a ${state.name} policy of ${state.parameters.length}.`,
    );
  }
  policy.parameters.set(state.parameters);
}
