import { createRng, type Rng } from "../../base/rng";
import { show } from "../../base/show";
import type { OptimizerChoice } from "../../rule";
import { count, group, instance, number, optional, required, resolve, whole, type Given } from "../../schema";
import { createOptimizer, type Optimizer } from "../optimizer";
import type { Teacher } from "./demonstrations";

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

const schema = group({
  teacher: required(
    instance<Teacher>("a function", (value) => typeof value === "function", {
      help: "Gives the turn to be learned after each history: (history, rng) => tokens.",
    }),
  ),
  episodes: required(count(1, { help: "Number of episodes that the teacher plays." })),
  steps: required(whole(1, { atLeast: 0, help: "Gradient steps." })),
  turnsPerStep: whole(0, {
    atLeast: 0,
    unit: "turns",
    help: "Number of the teacher's turns that a step learns from, drawn without replacement; 0: all of them.",
  }),
  optimizer: optional(
    instance<OptimizerChoice["kind"] | Partial<OptimizerChoice>>(
      'the name of an optimizer or one with its numbers, such as { kind: "adam", learningRate: 0.01 }',
      (value) => typeof value === "string" || isObject(value),
      { help: "Default: Adam at .01." },
    ),
  ),
  learningRate: optional(
    number(1, { above: 0, help: "Learning rate of plain gradient descent, instead of an optimizer." }),
  ),
  seed: whole(0, {
    atLeast: 0,
    help: "The teacher's episodes and the order of its turns are drawn from it.",
  }),
  rng: optional(instance<Rng>("a generator", isObject, { help: "A generator instead of the seed." })),
  signal: optional(
    instance<AbortSignal>("an AbortSignal", (value) => isObject(value) && "aborted" in (value as object), {
      help: "Stops before the next step; the policy keeps what it has learned.",
    }),
  ),
});

/** The options of `imitate`. */
export type ImitateOptions = Given<typeof schema>;

/** The options as `imitate` uses them. */
export interface ImitateSettings {
  readonly teacher: Teacher;
  readonly episodes: number;
  readonly steps: number;
  readonly turnsPerStep: number;
  readonly optimizer: Optimizer;
  readonly rng: Rng;
  readonly signal: AbortSignal | undefined;
}

/**
 * @throws {RangeError} if an option is unknown or out of range
 * @throws {TypeError} if an option is missing, has the wrong type or contradicts another
 */
export function readImitateOptions(given: ImitateOptions): ImitateSettings {
  const found = resolve(schema, given, { action: "imitate", owner: "the options" });
  const { learningRate, optimizer = { kind: "adam", learningRate: 0.01 } } = found;
  if (learningRate !== undefined && found.optimizer !== undefined) {
    throw new TypeError(
      "Cannot imitate: learningRate belongs to plain gradient descent and must come without optimizer, " +
        `got ${learningRate} and ${show(found.optimizer)}.`,
    );
  }
  return {
    ...found,
    optimizer: createOptimizer(learningRate === undefined ? optimizer : { kind: "sgd", learningRate }),
    rng: found.rng ?? createRng(found.seed),
    signal: found.signal,
  };
}
