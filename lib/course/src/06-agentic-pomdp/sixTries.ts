import type { Batch } from "turnwise/internal/batch/batch";
import { calculatorTasks, make, type RewardKind } from "turnwise/internal/env/index";
import { scriptedBatch } from "turnwise/internal/rollout/index";

const words = (text: string): string[] => `${text} END`.split(" ");
const call = words("CALL 3 ^ 1 7 mod 4 1");
const think = words("THINK 3 ^ 1 7 mod 4 1");
const clock = words("CLOCK");
const answer = (digits: string): string[] => words(`ANSWER ${digits}`);

/**
 * A group of six tries at 3^17 mod 41 in Calculator-v0. The fifth looks at a clock first, which helps nobody.
 *
 * 3^4 = 81 = -1 mod 41, so 3^16 = 1 and the answer is 3.
 *
 * @param reward what is paid: for the outcome (the default), or for each verified step as well
 */
export function sixTries(reward: RewardKind = "outcome"): Batch {
  const tasks = calculatorTasks(3, 8).slice(0, 1);
  return scriptedBatch(make("Calculator-v0", { syntax: "digits", tasks, distractors: 1, reward }), [
    [call, answer("3")],
    [call, answer("3 3")],
    [think, answer("4 0")],
    [answer("7")],
    [clock, call, answer("3")],
    [clock, answer("9")],
  ]);
}
