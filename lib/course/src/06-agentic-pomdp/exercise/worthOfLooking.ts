import { positionsByKey } from "turnwise/internal/base/statistics";
import { createRng, type Rng } from "turnwise/internal/base/rng";
import { close, diagnose, type Kind, type Mistake } from "../../shared/exercise/diagnose";
import { mean, sum } from "../../shared/exercise/groups";
import { eight, formOfNumber } from "../../shared/exercise/numbers";
import type { Passed } from "../../shared/exercise/verdict";

/** Computes how much more an agent earns that acts on what it sees than the best fixed plan. */
export type WorthOfLookingAnswer = (
  chance_s: readonly number[],
  seen_s: readonly number[],
  reward_sa: readonly (readonly number[])[],
) => number;

interface Task {
  readonly chance_s: readonly number[];
  readonly seen_s: readonly number[];
  readonly reward_sa: readonly (readonly number[])[];
}

function taskOf(rng: Rng, seen_s: readonly number[]): Task {
  const weight = seen_s.map(() => 0.1 + rng.next());
  const reward_sa = seen_s.map(() => Array.from({ length: 3 }, () => rng.next()));
  return { chance_s: weight.map((one) => one / sum(weight)), seen_s, reward_sa };
}

const kinds = (rng: Rng): Kind<Task>[] => [
  {
    label: "states of which some look alike",
    inputs: eight(rng, "some", (r) => taskOf(r, [4, 7, 4, 7, 4])),
  },
  {
    label: "states that all look different",
    inputs: eight(rng, "different", (r) => taskOf(r, [2, 0, 5, 9])),
  },
  {
    label: "states that all look alike",
    inputs: eight(rng, "alike", (r) => taskOf(r, [3, 3, 3])),
    sentence: "it is wrong when all states look alike; who sees nothing can do no better than a fixed plan.",
  },
];

const every = ({ seen_s }: Task): number[] => seen_s.map((_, s) => s);

/** Return of each action over some of the states, weighted by their probabilities. */
const earned_a = ({ chance_s, reward_sa }: Task, states: readonly number[]): number[] =>
  reward_sa[0]!.map((_, a) => sum(states.map((s) => chance_s[s]! * reward_sa[s]![a]!)));

const best = (task: Task, states: readonly number[]): number => Math.max(...earned_a(task, states));
const fixed = (task: Task): number => best(task, every(task));
const groups = ({ seen_s }: Task): number[][] => [...positionsByKey(seen_s).values()].map((g) => [...g]);
const looking = (task: Task): number => sum(groups(task).map((states) => best(task, states)));
const alike = (task: Task): Task => ({
  ...task,
  chance_s: task.chance_s.map(() => 1 / task.chance_s.length),
});

const mistakes: readonly Mistake<Task, number>[] = [
  {
    sentence: "it lets the agent know the state; it knows only what it sees.",
    run: (task) => sum(every(task).map((s) => best(task, [s]))) - fixed(task),
  },
  {
    sentence: "it returns what the agent earns that looks; how much more than a fixed plan is asked for.",
    run: looking,
  },
  { sentence: "it returns what the best fixed plan earns.", run: fixed },
  {
    sentence: "it counts every state alike; some come more often than others.",
    run: (task) => looking(alike(task)) - fixed(alike(task)),
  },
  {
    sentence: "it compares with a plan drawn at random; the best of the fixed plans is meant.",
    run: (task) => looking(task) - mean(earned_a(task, every(task))),
  },
  { sentence: "its sign is turned round.", run: (task) => fixed(task) - looking(task) },
  {
    sentence: "it counts everything that can be seen alike; some of it is seen more often.",
    run: (task) => {
      const chance = (states: readonly number[]): number => sum(states.map((s) => task.chance_s[s]!));
      return mean(groups(task).map((states) => best(task, states) / chance(states))) - fixed(task);
    },
  },
  {
    sentence:
      "it takes the best reward of any state that looks like this; the agent cannot tell which it is in.",
    run: (task) => {
      const { chance_s, reward_sa } = task;
      const top = (states: readonly number[]): number => Math.max(...states.flatMap((s) => reward_sa[s]!));
      const chance = (states: readonly number[]): number => sum(states.map((s) => chance_s[s]!));
      return sum(groups(task).map((states) => chance(states) * top(states))) - fixed(task);
    },
  },
];

/**
 * Sum over what is seen of the best action there, minus the best action overall: 0 says that the task is a bandit.
 *
 * @see arXiv 2604.27859: what makes a task of an agent partially observed
 */
export function checkWorthOfLooking(answer: WorthOfLookingAnswer): Passed {
  return diagnose<Task, number>({
    exercise: "worthOfLooking",
    kinds: kinds(createRng(1).split("worthOfLooking")),
    right: (task) => looking(task) - fixed(task),
    mistakes,
    form: formOfNumber,
    same: close,
    call: ({ chance_s, seen_s, reward_sa }) =>
      answer(
        [...chance_s],
        [...seen_s],
        reward_sa.map((row) => [...row]),
      ),
  });
}
