import { log } from "../base/elementary/log";

/** Variety of the responses of one batch. */
export interface ResponseStatistics {
  /** Number of distinct responses, divided by the number of responses. */
  readonly distinct: number;
  /** Share of the most frequent response. */
  readonly topShare: number;
  /** Mutual information between task and response, nats. */
  readonly information: number;
}

/**
 * The rate of distinct responses, the share of the most frequent one, and the mutual information between task and response.
 *
 * ```
 * I = H(task) + H(response) - H(task, response),   H = -sum p log p + (K - 1) / (2 N)
 * ```
 * in nats, where H is the plug-in entropy with Miller and Madow's correction (K distinct values among N), and I is at least 0.
 * A response is a text, or a number that stands for one. An agent that says the same whatever it is asked (an echo) has I = 0
 * and a topShare near 1.
 *
 * @throws {TypeError} if the two lists differ in length
 * @throws {RangeError} if they are empty
 * @see Miller, "Note on the bias of information estimates" (1955); RAGEN, arXiv 2504.20073, Finding 2, for the echo
 */
export function responseStatistics(
  responses: readonly (string | number)[],
  tasks: readonly string[],
): ResponseStatistics {
  if (responses.length !== tasks.length) {
    throw new TypeError(
      `Cannot compare responses: there must be a task for each, got ${responses.length} responses and ${tasks.length} tasks.`,
    );
  }
  if (responses.length === 0) {
    throw new RangeError("Cannot compare responses: there must be at least one, got none.");
  }
  const response_n = numbered(responses);
  const task_n = numbered(tasks);
  const counts = count(response_n);
  const most = responses.length;
  const both = count(numbered(response_n.map((r, n) => task_n[n]! * most + r)));
  const information = entropy(count(task_n)) + entropy(counts) - entropy(both);
  return {
    distinct: counts.length / responses.length,
    topShare: Math.max(...counts) / responses.length,
    information: Math.max(0, information),
  };
}

/** Numbers the values 0, 1, ... in the order in which they first appear. */
function numbered(values: readonly (string | number)[]): number[] {
  const numbers = new Map<string | number, number>();
  const result: number[] = [];
  for (let n = 0; n < values.length; n++) {
    const value = values[n]!;
    // Neighbors are often equal.
    let number = n > 0 && value === values[n - 1] ? result[n - 1] : numbers.get(value);
    if (number === undefined) numbers.set(value, (number = numbers.size));
    result.push(number);
  }
  return result;
}

/** Frequency of each number. */
function count(numbers: readonly number[]): readonly number[] {
  const counts: number[] = [];
  for (const number of numbers) counts[number] = (counts[number] ?? 0) + 1;
  return counts;
}

function entropy(counts: readonly number[]): number {
  const total = counts.reduce((a, b) => a + b, 0);
  const plugIn = counts.reduce((sum, n) => sum - (n / total) * log(n / total), 0);
  return plugIn + (counts.length - 1) / (2 * total);
}
