import { optimalPolicy } from "../../exact/optimalPolicy";
import type { Env } from "../../env/env";
import { contextKey, type History, type Policy } from "../../policy/policy";
import { recipeNeeds, type Recipe } from "../../rule";

/** Teacher: the exact optimum of the world, or a policy that reads histories as the student does. */
export type TeacherChoice = "optimal" | Policy;

/** Roles of the teacher in a rule: to grade the policy's tokens as the reference, to show trajectories, or neither. */
export function rolesOf(recipe: Recipe): { readonly grades: boolean; readonly shows: boolean } {
  // A rule from a file of an earlier version has no such field.
  const plays = ((recipe.demonstrations as number | undefined) ?? 0) > 0;
  const { reference, shown } = recipeNeeds(recipe);
  return { shows: plays || shown, grades: reference && !shown && (paysAgreementAlone(recipe) || !plays) };
}

/** Whether a rule learns from its reference alone, so that the policy's own beginning could teach it nothing. */
export const paysAgreementAlone = (recipe: Recipe): boolean =>
  recipe.reward.environment === 0 && recipeNeeds(recipe).reference;

/**
 * The policy that a rule with a divergence agrees with, instead of the frozen start, or that plays its demonstrations;
 * undefined where there is none.
 *
 * A rule that pays no reward of the task, or asks for demonstrations, has the exact optimum for its teacher, unless another
 * one is given.
 *
 * @throws {RangeError} if the rule reads no reference and asks for no demonstrations, or the world is too large for its optimum
 * @throws {TypeError} if the optimum is asked for in a world that cannot be enumerated, or the teacher reads histories in
 *   another way than the student
 */
export function teacherOf(
  given: TeacherChoice | undefined,
  { env, policy, recipe }: { readonly env: Env; readonly policy: Policy; readonly recipe: Recipe },
): Policy | undefined {
  const { grades, shows } = rolesOf(recipe);
  if (given === undefined) return shows || paysAgreementAlone(recipe) ? optimalPolicy(env) : undefined;
  if (!grades && !shows) {
    throw new RangeError(
      `Cannot train with a teacher: the recipe must read a reference, by reward.kl or regularizer.klReference, or have demonstrations, got ${recipe.name} without any.`,
    );
  }
  if (given === "optimal") return optimalPolicy(env);
  if (grades) expectSameContexts(given, policy, env);
  return given;
}

/** A batch keeps contexts in the student's encoding; the optimal policy alone reads the texts instead. */
function expectSameContexts(teacher: Policy, student: Policy, env: Env): void {
  if (teacher.name === "optimal") return;
  const world = env.fork?.() ?? env;
  const [first] = world.reset({ seed: 0 });
  const action = Array.from({ length: env.spec.maxTokens }, () => 0);
  const [second] = world.step(action.slice(0, 1 + (env.spec.endToken === 0 ? 0 : action.length - 1)));
  const histories: History[] = [
    { observations: [first], actions: [] },
    { observations: [first, second], actions: [action] },
  ];
  for (const history of histories) {
    const [his, own] = [teacher, student].map((policy) => contextKey(policy.contextOf(history)));
    if (his === own) continue;
    throw new TypeError(
      `Cannot train: the teacher must read a history as the student does, but after "${history.observations.at(-1)!.text}", ` +
        `${teacher.name} reads ${his!} and ${student.name} ${own!}.`,
    );
  }
}
