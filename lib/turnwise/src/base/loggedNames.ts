import type { MetricName } from "./glossary";

/** Names under which a framework logs a metric; undefined if it does not log it. */
type NamesOf = (metric: MetricName) => readonly string[] | undefined;

const frameworks = new Map<string, NamesOf>();

/** Adds a framework to the help pages of metrics. `turnwise-practice`, which reads the logs of others, adds those it knows. */
export function addLoggedNames(title: string, names: NamesOf): void {
  frameworks.set(title, names);
}

/** The names of a metric in the frameworks that log it, by the title of the framework. */
export function loggedNames(metric: MetricName): ReadonlyMap<string, readonly string[]> {
  const found = [...frameworks].flatMap(([title, names]) => {
    const own = names(metric);
    return own === undefined ? [] : [[title, own] as const];
  });
  return new Map(found);
}
