import { checksum } from "turnwise/internal/base/checksum";
import { createRng } from "turnwise/internal/base/rng";
import { make } from "turnwise/internal/env/index";
import { valueOfPolicy } from "turnwise/internal/exact/enumerateReturn";
import { sampleDialogues } from "turnwise/internal/play/dialogue";
import type { Film } from "turnwise/internal/play/film";
import { places, Settings, type SettingName } from "turnwise/internal/play/settings";
import { groupOf } from "turnwise/internal/play/shownGroup";
import { Steered } from "turnwise/internal/play/steered";
import type { Difference } from "turnwise/internal/rule/compare";
import { citations, compareRecipes, recipeNames, recipes, type Recipe } from "turnwise/internal/rule/index";
import { gate } from "turnwise/internal/rule/gate/gate";
import type { TrainRecord } from "turnwise/internal/train/index";
import type { Closest, Episode, Point, Shot, Task } from "./protocol";

/** The settings of a task, checked. */
export const settingsOf = ({ world, run }: Pick<Task, "world" | "run">): Settings =>
  new Settings({ env: world, recipe: run.rule, ...run.changes } as Record<SettingName, number | string>);

/** A run of the playground: the same settings give the same bits, in every page and in Node. */
export class Training {
  readonly #task: Task;
  readonly #steered: Steered;
  readonly #exact: number[] = [];
  /** Exact return before the first update, where it is known. */
  readonly start: number | undefined;
  isDone = false;

  /** @throws {RangeError} if the settings do not fit together */
  constructor(task: Task) {
    this.#task = task;
    this.#steered = new Steered(settingsOf(task), task.updates);
    const { env, policy } = this.#steered.run;
    // On a copy, as a table grows by what it is asked.
    this.start = this.#steered.exact ? valueOfPolicy(env, policy.clone()) : undefined;
  }

  get optimum(): number | undefined {
    return this.#steered.optimum;
  }

  async next(): Promise<Point | undefined> {
    const record = await this.#steered.next();
    this.isDone = record === undefined || record.update >= this.#task.updates;
    if (record === undefined) return undefined;
    const point = pointOf(record);
    if (point.exact !== undefined) this.#exact.push(point.exact);
    return point;
  }

  /** Two episodes of the agent as it is now, on dice of their own. */
  episodes(): Episode[] {
    const { run, update, id } = this.#steered;
    const rng = createRng(0).split("dialogue", update);
    return sampleDialogues(make(id), run.policy, rng, 2).map(({ lines, reward }) => ({
      reward,
      lines: lines.map(({ speaker, text, tiles }) => ({
        isAgent: speaker === "agent",
        text,
        isMap: tiles !== undefined,
      })),
    }));
  }

  /** A checksum of the curve and of every parameter. */
  get digest(): string {
    const numbers = Float64Array.from([...this.#exact, ...this.#steered.run.policy.parameters]);
    return checksum(new Uint8Array(numbers.buffer));
  }
}

const pointOf = ({ update, metrics }: TrainRecord): Point => ({
  update,
  reward: metrics["reward/mean"] ?? NaN,
  entropy: metrics["policy/entropy"] ?? NaN,
  silent: metrics["reward/fracZeroStd"] ?? NaN,
  ...(metrics["return/exact"] !== undefined && { exact: metrics["return/exact"] }),
  ...(metrics["policy/ratioMax"] !== undefined && { ratio: metrics["policy/ratioMax"] }),
});

/** One update of a run from the inside: the run is played again as far as that, which gives the same bits. */
export async function shoot(task: Task, update: number, isWanted: () => boolean): Promise<Shot | undefined> {
  const steered = new Steered(settingsOf(task), task.updates);
  while (steered.update < update - 1) {
    if (!isWanted() || (await steered.next()) === undefined) return undefined;
  }
  const film = await steered.film();
  const { tiles } = steered.run.env.spec;
  return film && shotOf(film, steered.run.env.spec.vocabulary, tiles !== undefined);
}

function shotOf(film: Film, vocabulary: readonly string[], isMap: boolean): Shot {
  const { record, recipe, sampled, kept, advantage_ntl, ratio_ntl, steps, decision, exact } = film;
  const batch = kept ?? sampled;
  const [, T, L] = batch.shape;
  const cells = (n: number, t: number): number[] =>
    Array.from({ length: L }, (_, l) => (n * T + t) * L + l).filter((i) => batch.mask_ntl[i] === 1);
  return {
    update: record.update,
    steps,
    reward: record.metrics["reward/mean"] ?? NaN,
    gate: recipe.loss ? "" : recipe.gate.kind,
    trajectories: groupOf(batch).map((n) => ({
      reward: batch.return_n[n]!,
      turns: Array.from({ length: batch.turnCount_n[n]! }, (_, t) => ({
        observation: batch.observation_nt[n]![t] ?? "",
        isMap,
        tokens: cells(n, t).map((i) => {
          const advantage = kept ? advantage_ntl[i]! : 0;
          const ratio = kept ? ratio_ntl[i]! : 1;
          return {
            word: vocabulary[batch.token_ntl[i]!]!,
            advantage,
            ratio,
            isStopped: stops(recipe, ratio, advantage),
          };
        }),
      })),
    })),
    decision,
    exact,
  };
}

const stops = (recipe: Recipe, ratio: number, advantage: number): boolean =>
  !recipe.loss && gate(recipe.gate, ratio, advantage).clipped !== "no";

const choiceOf = (field: string): string => field.split(".")[0]!;

/** The known rule that differs in the fewest fields, then in the fewest of their options; how long a batch is trained on is no part of a rule. */
export function closestTo(rule: Recipe): Closest {
  const all = recipeNames.map((name) => {
    const differences = compareRecipes(rule, recipes[name]).differences.filter(
      ({ field }) => choiceOf(field) !== "update",
    );
    const fields = new Set(differences.map(({ field }) => choiceOf(field))).size;
    return { name, differences, fields, isOwn: name === rule.name };
  });
  const [first] = all.sort(
    (a, b) =>
      a.fields - b.fields || Number(b.isOwn) - Number(a.isOwn) || a.differences.length - b.differences.length,
  );
  const { name, differences } = first!;
  return {
    name,
    title: citations[name].title,
    differences: told(differences),
  };
}

/** Differences by the strip's fields. Where a choice differs, so do its numbers, which go without saying. */
function told(differences: readonly Difference[]): Closest["differences"] {
  const chosen = new Set(differences.map(({ field }) => field));
  return differences
    .filter(({ field }) => !field.includes(".") || isField(field) || !chosen.has(choiceOf(field)))
    .map(({ field, values }) => {
      const knob = isField(field) ? "" : field.split(".").slice(1).join(" ");
      return { field: fieldOf(field), theirs: `${knob} ${values[1]!}`.trim() };
    });
}

/** Whether a field is a choice of its own within another one, such as the carry of an order. */
const isField = (field: string): boolean =>
  Object.entries(places).some(([name, place]) => name in nested && place.replace(/\.kind$/, "") === field);

const nested = { pooling: true, carry: true, clippingTriggered: true };

/** The field of the strip that a field belongs to: its choice, or one within it. */
function fieldOf(field: string): string {
  const own = Object.entries(places).find(
    ([name, place]) => name in nested && place.replace(/\.kind$/, "") === field,
  );
  return own?.[0] ?? choiceOf(field);
}
