import { createRng, type Rng } from "../../base/rng";
import { powMod, powSteps } from "./expression";

export const OPERATORS = ["^", "*", "+"] as const;
export type Operator = (typeof OPERATORS)[number];

/** x operator y mod modulus. */
export interface CalculatorTask {
  readonly id: string;
  readonly level: number;
  readonly x: number;
  readonly operator: Operator;
  readonly y: number;
  readonly modulus: number;
  readonly answer: number;
  /** Multiplications or additions that it takes by hand. */
  readonly steps: number;
}

/** 3^17 mod 41 = 3, since 3^4 = 81 = -1, 3^8 = 1 and 3^16 = 1. */
const WORKED_EXAMPLE = { x: 3, operator: "^", y: 17, modulus: 41 } as const;

/** Inclusive ranges of x, y and the modulus; `block` tasks in a row look alike and have different answers. */
const LEVELS = [
  { operators: OPERATORS, x: [2, 9], y: [2, 5], modulus: [3, 4], block: 4 },
  { operators: OPERATORS, x: [2, 9], y: [3, 9], modulus: [5, 11], block: 8 },
  { operators: ["^"], x: [2, 19], y: [9, 31], modulus: [23, 41], block: 8 },
] as const;

export function compute(operator: Operator, x: number, y: number, modulus: number): number {
  if (operator === "^") return powMod(x, y, modulus);
  return (operator === "*" ? x * y : x + y) % modulus;
}

export function stepsOf(operator: Operator, y: number): number {
  return operator === "^" ? powSteps(y) : 1;
}

/**
 * Distinct tasks of a level; level 3 begins with 3^17 mod 41. The same seed gives the same tasks.
 *
 * Tasks come in blocks with the same operator and number of steps and with different answers, so that an agent who sees
 * no more than these cannot know an answer by heart.
 *
 * @example
 * import { calculatorTasks } from "turnwise";
 * calculatorTasks(1, 8).length; // => 8
 */
export function calculatorTasks(level: number, count: number, seed = 0): CalculatorTask[] {
  const { block } = LEVELS[level - 1]!;
  const rng = createRng(seed).split("calculator", level);
  const seen = new Set<string>();
  const tasks: Omit<CalculatorTask, "id">[] = [];
  /** Nothing is added where there are not enough different answers: squares modulo 3 and 4 are 0 and 1. */
  const addBlock = (first: Question): void => {
    const found = new Map<number, Omit<CalculatorTask, "id">>();
    for (
      let draw = 0, next = first;
      found.size < block && draw < 2000;
      draw++, next = drawQuestion(level, rng)
    ) {
      const { x, operator, y, modulus } = next;
      const answer = compute(operator, x, y, modulus);
      const steps = stepsOf(operator, y);
      const alike = operator === first.operator && steps === stepsOf(first.operator, first.y);
      if (!alike || found.has(answer) || seen.has(questionText(next))) continue;
      found.set(answer, { level, x, operator, y, modulus, answer, steps });
    }
    if (found.size < block) return;
    for (const task of found.values()) {
      seen.add(questionText(task));
      tasks.push(task);
    }
  };
  if (level === LEVELS.length) addBlock(WORKED_EXAMPLE);
  for (let draw = 0; tasks.length < count && draw < count; draw++) addBlock(drawQuestion(level, rng));
  return tasks.slice(0, count).map((task, i) => ({ id: `calculator-${level}-${i}`, ...task }));
}

function questionText({ x, operator, y, modulus }: Question): string {
  return `${x} ${operator} ${y} mod ${modulus}`;
}

type Question = Pick<CalculatorTask, "x" | "operator" | "y" | "modulus">;

function drawQuestion(level: number, rng: Rng): Question {
  const range = LEVELS[level - 1]!;
  const between = ([low, high]: readonly [number, number]): number => low + rng.below(high - low + 1);
  return {
    operator: range.operators[rng.below(range.operators.length)]!,
    x: between(range.x),
    y: between(range.y),
    modulus: between(range.modulus),
  };
}

export const CALCULATOR_LEVELS: number = LEVELS.length;

/** @throws {RangeError} if the answer of a task is not the value of its question */
export function expectCalculatorTasks(id: string, tasks: readonly CalculatorTask[]): void {
  for (const { id: task, operator, x, y, modulus, answer } of tasks) {
    const whole = [x, y, modulus].every((value) => Number.isInteger(value) && value >= 0 && value < 10_000);
    if (!OPERATORS.includes(operator) || !whole || modulus < 2) {
      throw new RangeError(
        `Cannot make ${id}: a task must be x operator y mod modulus in integers below 10000, but "${task}" is ${x} ${operator} ${y} mod ${modulus}.`,
      );
    }
    const right = compute(operator, x, y, modulus);
    if (answer !== right) {
      throw new RangeError(`Cannot make ${id}: the answer of "${task}" must be ${right}, got ${answer}.`);
    }
  }
}
