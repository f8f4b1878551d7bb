import type { TurnInfo } from "../env/env";
import type { MetricName, Metrics } from "../base/glossary";
import { responseStatistics } from "../rollout/responses";
import type { Batch } from "../batch/batch";
import { stepsTaken } from "../batch/stepsTaken";
import { Sequences } from "../tensor/sequences";

/** Record of one update. */
export interface TrainRecord {
  /** Counts from 1. */
  readonly update: number;
  /** Trajectories sampled so far. */
  readonly samples: number;
  readonly optimizerSteps: number;
  /** Wall-clock time spent in updates so far. */
  readonly seconds: number;
  /** The kind of compute, such as "float64" or "wasm relaxed"; records of before 0.2 lack it. */
  readonly compute?: string;
  readonly metrics: Metrics;
}

/** Metrics of everything that was sampled, before any filter. */
export function rolloutMetrics(batch: Batch): Metrics {
  const [N] = batch.shape;
  let tokens = 0;
  for (const active of batch.mask_ntl) tokens += active;
  const metrics: Partial<Record<MetricName, number>> = {
    "reward/mean": mean(batch.return_n),
    "turns/mean": mean(batch.turnCount_n),
    "rollout/steps": stepsTaken(batch),
    "tokens/mean": tokens / N,
    ...responseMetrics(batch),
  };
  const infos = batch.info_nt;
  if (!infos) return metrics;
  const calls = { tool: 0, malformed: 0, answer: 0, move: 0 };
  let told = false;
  for (const turns of infos) {
    for (const { call } of turns as readonly { readonly call?: unknown }[]) {
      if (typeof call !== "string" || !Object.hasOwn(calls, call)) continue;
      calls[call as keyof typeof calls]++;
      told = true;
    }
  }
  // Of a world that does not say what its turns were, nothing was counted, and 0 would be a claim.
  if (told) {
    metrics["tools/calls"] = calls.tool / N;
    metrics["tools/malformed"] = calls.malformed / N;
  }
  let judged = false;
  let solved = 0;
  const scores: number[] = [];
  for (const turns of infos) {
    const last = turns.at(-1) as TurnInfo | undefined;
    judged ||= last?.success !== undefined;
    if (last?.success === true) solved++;
    if (typeof last?.trueScore === "number") scores.push(last.trueScore);
  }
  if (judged) metrics["success/mean"] = solved / N;
  if (scores.length === N) metrics["reward/trueScore"] = mean(scores);
  return metrics;
}

/** Stands before each turn of a response; tokens are never negative. */
const TURN = -1;

/** Numbers the responses of any batch; with too many of them it begins again. */
let known = new Sequences();
const MOST_KNOWN = 65536;

function responseMetrics(batch: Batch): Metrics {
  const [N, T, L] = batch.shape;
  if (known.count > MOST_KNOWN) known = new Sequences();
  const responses: number[] = [];
  for (let n = 0; n < N; n++) {
    let response = 0;
    for (let t = 0; t < batch.turnCount_n[n]!; t++) {
      response = known.child(response, TURN);
      const first = (n * T + t) * L;
      for (let i = first; i < first + L; i++) {
        if (batch.mask_ntl[i] === 1) response = known.child(response, batch.token_ntl[i]!);
      }
    }
    responses.push(response);
  }
  // A group id is "number:task" if the environment names its tasks, else just the number.
  const tasks: string[] = [];
  for (let n = 0; n < N; n++) {
    const id = batch.groupId[n]!;
    // Members of a group stand side by side.
    tasks.push(n > 0 && id === batch.groupId[n - 1] ? tasks[n - 1]! : id.slice(id.indexOf(":") + 1));
  }
  const { distinct, topShare, information } = responseStatistics(responses, tasks);
  return {
    "response/distinct": distinct,
    "response/topShare": topShare,
    "response/mutualInformation": information,
  };
}

/** Merges the metrics of an update's steps: the largest of each `...Max`, the smallest of each `...Min`, the mean of all others. */
export function mergeMetrics(steps: readonly Metrics[]): Metrics {
  const merged: Partial<Record<MetricName, number>> = {};
  const count: Partial<Record<MetricName, number>> = {};
  for (const step of steps) {
    for (const key in step) {
      const name = key as MetricName;
      const value = step[name]!;
      const before = merged[name];
      if (before === undefined) merged[name] = value;
      else if (name.endsWith("Max")) merged[name] = Math.max(before, value);
      else if (name.endsWith("Min")) merged[name] = Math.min(before, value);
      else merged[name] = before + value;
      count[name] = (count[name] ?? 0) + 1;
    }
  }
  for (const key of Object.keys(merged)) {
    const name = key as MetricName;
    if (!name.endsWith("Max") && !name.endsWith("Min")) merged[name] = merged[name]! / count[name]!;
  }
  return merged;
}

function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!; // eslint-disable-line @typescript-eslint/prefer-for-of -- ArrayLike
  return sum / Math.max(1, values.length);
}
