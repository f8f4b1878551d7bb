import { isEnumerable, type Env } from "turnwise/internal/env/env";

/** A start of a world that a client can ask for. */
export interface Task {
  readonly task_id: string;
  /** `reset` with this seed begins with the task. */
  readonly seed: number;
}

/** Tasks that are rarer than one start in so many are not listed. */
const rarest = 1000;
const most = 20_000;

/** The tasks of a world, each with the first seed that begins with it; empty where starts have no names. */
export function tasksOf(env: Env): readonly Task[] {
  const starts = isEnumerable(env) ? env.start() : undefined;
  const names = starts && new Set(starts.map(({ taskId }, i) => taskId ?? String(i)));
  const found = new Map<string, number>();
  const tries = Math.min(most, names ? 20 * names.size + rarest : rarest);
  for (let seed = 0; seed < tries && found.size !== names?.size; seed++) {
    const [, { taskId }] = env.reset({ seed });
    if (typeof taskId === "string" && !found.has(taskId)) found.set(taskId, seed);
  }
  return [...found].map(([task_id, seed]) => ({ task_id, seed }));
}
