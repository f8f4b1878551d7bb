/** How varied the responses of one batch are. */
export interface ResponseStatistics {
  /** Distinct responses per response. */
  readonly distinct: number;
  /** Share of the most frequent response. */
  readonly topShare: number;
  /** Mutual information between task and response, nats. */
  readonly information: number;
}

/**
 * Distinct-response rate, share of the most frequent response, and mutual information between task and response.
 *
 * ```
 * I = H(task) + H(response) - H(task, response),   H = -sum p log p + (K - 1) / (2 N)
 * ```
 * H is the plug-in entropy with the correction of Miller and Madow (K distinct values among N); I is not let below 0.
 * In nats. An agent that says the same whatever it is asked has I = 0, and a topShare near 1: the echo.
 *
 * @see Miller, "Note on the bias of information estimates" (1955); RAGEN, arXiv 2504.20073, Finding 2, for the echo [P]
 * @throws TypeError when the two lists differ in length; RangeError when they are empty
 */
export function responseStatistics(
  responses: readonly string[],
  tasks: readonly string[],
): ResponseStatistics {
  if (responses.length !== tasks.length) {
    throw new TypeError(
      `Cannot compare responses as there must be a task for each: ${responses.length} responses and ${tasks.length} tasks`,
    );
  }
  if (responses.length === 0) {
    throw new RangeError("Cannot compare responses as there must be at least one: current length is 0");
  }
  const counts = count(responses);
  const information =
    entropy(count(tasks)) + entropy(counts) - entropy(count(responses.map((r, i) => `${tasks[i]!}\n${r}`)));
  return {
    distinct: counts.length / responses.length,
    topShare: Math.max(...counts) / responses.length,
    information: Math.max(0, information),
  };
}

function count(values: readonly string[]): readonly number[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.values()];
}

function entropy(counts: readonly number[]): number {
  const total = counts.reduce((a, b) => a + b, 0);
  const plugIn = counts.reduce((sum, n) => sum - (n / total) * Math.log(n / total), 0);
  return plugIn + (counts.length - 1) / (2 * total);
}
