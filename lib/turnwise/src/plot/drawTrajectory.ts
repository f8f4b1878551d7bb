import { expectKnown } from "../base/expect";
import { show } from "../base/show";
import type { Batch } from "../batch/batch";
import type { Tiles } from "../env/grid/drawGrid";
import { advantages, recipe as rowOf, type Recipe, type RecipeName } from "../rule";
import { boundsOf, unbounded } from "../rule/gate/gate";
import { recipeNeeds } from "../rule/needs";
import type { Drawing } from "./drawing";
import { drawScene } from "./trajectory/drawScene";
import { rowsOfBatch, rowsOfEpisodes, type Episode, type NumberAt, type Scene } from "./trajectory/episodes";

const action = "draw a trajectory";
/** More rows cannot be read from the last row of a lecture hall. */
const mostRows = 8;

/** Numbers of a batch: a flat array, a tensor, or what `advantages` gives. One for each trajectory, turn or token. */
export type BatchNumbers =
  ArrayLike<number> | { dataSync(): ArrayLike<number> } | { readonly advantage_ntl: ArrayLike<number> };

/** Contents next to the words of a trajectory. */
export interface DrawTrajectoryOptions {
  /** Which trajectories of several, by index. Default: the first eight. */
  readonly trajectory?: number | readonly number[];
  /** The color of each token. One number for each trajectory, turn or token. */
  readonly advantage?: BatchNumbers;
  /** Small bars above or below 1: new probability over that of the policy that sampled. */
  readonly ratio?: BatchNumbers;
  /** The ratio of a full bar, above 1: the same in pictures that are compared. Default: the farthest in the picture. */
  readonly ratioTop?: number;
  /** Takes the advantages and the bounds of the clip from a rule. */
  readonly recipe?: RecipeName | Recipe;
  /** Radii of the clip, as in a recipe's gate; dashed lines beside the ratios. */
  readonly clipLow?: number;
  readonly clipHigh?: number;
  /** The tokens' words, for a batch that does not tell them: `env.spec.vocabulary`. */
  readonly vocabulary?: readonly string[];
  /** Meaning of the characters of maps, for a batch that lacks it: `env.spec.tiles`. */
  readonly tiles?: Tiles;
  readonly title?: string;
}

/**
 * A picture of one trajectory, or of up to eight: turns as blocks, tokens as cells, rewards, and the return.
 *
 * What the world wrote is pale and hatched: its mask is 0, and nothing is learned from it. With `advantage`, each token is blue
 * with a solid frame above 0, orange with a dashed frame below 0, and the stronger the larger; with `ratio`, a bar shows how
 * much likelier the token has become. `recipe` computes the advantages and draws the bounds of its clip.
 *
 * It takes what `collect` and `scriptedBatch` give, or episodes of a loop of your own: `{ turns: [{ tokens: ["LOOKUP", "0"],
 * observation, reward, advantage, ratio }] }`, or several of these in a list.
 *
 * @throws {TypeError} if it is neither a batch nor episodes, or the numbers fit neither trajectories, turns nor tokens
 * @throws {RangeError} if there is no such trajectory, a number is not finite, or a ratio is not above 0
 * @example
 * import { drawTrajectory, make, scriptedBatch } from "turnwise";
 * const batch = scriptedBatch(make("LookUp-v0"), [[["ANSWER", "0"]], [["LOOKUP", "0"], ["ANSWER", "3"]]]);
 * drawTrajectory(batch, { trajectory: 1 });
 * drawTrajectory(batch, { recipe: "rloo" });
 * drawTrajectory({ turns: [{ observation: "2 + 2 = ?", tokens: ["4"], reward: 1, advantage: 0.5 }] });
 */
export function drawTrajectory(
  of: Batch | Episode | readonly Episode[],
  options: DrawTrajectoryOptions = {},
): Drawing {
  expectKnown(action, options, [
    "trajectory", "advantage", "ratio", "ratioTop", "recipe", "clipLow", "clipHigh", "vocabulary", "tiles", "title",
  ]); // prettier-ignore
  const { ratioTop } = options;
  if (ratioTop !== undefined && !(ratioTop > 1 && ratioTop < Infinity)) {
    throw new RangeError(
      `Cannot ${action}: ratioTop must be a finite number above 1, got ${show(ratioTop)}.`,
    );
  }
  return drawScene({ ...sceneOf(of, options), ratioTop });
}

function sceneOf(of: unknown, o: DrawTrajectoryOptions): Scene {
  if (isBatch(of)) {
    const [N, T, L] = of.shape;
    const chosen = chosenRows(o.trajectory, N);
    const numbers = {
      advantage: numbersOf("advantage", o.advantage ?? advantagesBy(o.recipe, of), [N, T, L], of.mask_ntl),
      ratio: numbersOf("ratio", o.ratio, [N, T, L], of.mask_ntl),
    };
    const vocabulary = o.vocabulary ?? of.script?.vocabulary ?? [];
    const rows = rowsOfBatch(of, chosen.rows, vocabulary, numbers);
    return {
      ...chosen,
      rows,
      title: o.title ?? titleOfBatch(of, chosen.rows),
      tiles: o.tiles ?? of.script?.tiles,
      clip: clipOf(o),
    };
  }
  const episodes = isEpisode(of) ? [of] : of;
  if (!Array.isArray(episodes) || episodes.length === 0 || !episodes.every(isEpisode)) {
    throw new TypeError(
      `Cannot ${action}: it must be a batch, such as collect gives, or episodes { turns: [{ tokens: [...] }] }, ` +
        `got ${told(of)}.`,
    );
  }
  if (o.recipe !== undefined) {
    throw new TypeError(
      `Cannot ${action} by a recipe: it must be a batch, such as collect gives. Give episodes their advantage instead.`,
    );
  }
  const given = episodes as readonly Episode[];
  const chosen = chosenRows(o.trajectory, given.length);
  const T = Math.max(...given.map(({ turns }) => turns.length), 1);
  const L = Math.max(...given.flatMap(({ turns }) => turns.map(({ tokens }) => tokens.length)), 1);
  const shape = [given.length, T, L] as const;
  const numbers = {
    advantage: numbersOf("advantage", o.advantage, shape),
    ratio: numbersOf("ratio", o.ratio, shape),
  };
  const rows = rowsOfEpisodes(given, chosen.rows, numbers);
  const title = o.title ?? (given.length === 1 ? "One trajectory" : countTitle(chosen.rows, given.length));
  return { ...chosen, rows, title, tiles: o.tiles, clip: clipOf(o) };
}

function isBatch(of: unknown): of is Batch {
  return typeof of === "object" && of !== null && "shape" in of && "mask_ntl" in of && "token_ntl" in of;
}

function isEpisode(of: unknown): of is Episode {
  const turns = (of as Partial<Episode> | null | undefined)?.turns;
  return Array.isArray(turns) && turns.every((turn) => Array.isArray((turn as { tokens?: unknown }).tokens));
}

function told(of: unknown): string {
  if (typeof of !== "object" || of === null) return show(of);
  if (typeof (of as { then?: unknown }).then === "function") return "a promise (did you forget await?)";
  if ("metrics" in of)
    return "a record of train, which keeps metrics alone: collect(env, policy, ...) gives trajectories";
  if (Array.isArray(of))
    return of.length === 0 ? "an empty list" : `a list whose first entry is ${told(of[0])}`;
  return `an object with ${Object.keys(of).slice(0, 6).join(", ") || "nothing in it"}`;
}

function chosenRows(
  trajectory: number | readonly number[] | undefined,
  count: number,
): { readonly rows: readonly number[]; readonly more: number } {
  const all = trajectory === undefined ? Array.from({ length: count }, (_, n) => n) : [trajectory].flat();
  const wrong = all.find((n) => !Number.isInteger(n) || n < 0 || n >= count);
  if (wrong !== undefined) {
    throw new RangeError(`Cannot ${action}: trajectory must be from 0 to ${count - 1}, got ${show(wrong)}.`);
  }
  if (all.length === 0) {
    throw new RangeError(`Cannot ${action}: there must be at least one, got none.`);
  }
  return { rows: all.slice(0, mostRows), more: Math.max(0, all.length - mostRows) };
}

function titleOfBatch({ shape: [N], groupId }: Batch, rows: readonly number[]): string {
  if (rows.length === 1) return N === 1 ? "One trajectory" : `Trajectory ${rows[0]! + 1} of ${N}`;
  const groups = new Set(rows.map((n) => groupId[n]));
  return `${countTitle(rows, N)}${groups.size === 1 ? ", one group: the same start" : ""}`;
}

const countTitle = (rows: readonly number[], of: number): string =>
  rows.length === of ? `${of} trajectories` : `${rows.length} of ${of} trajectories`;

/** Numbers for trajectories, turns or tokens, by the length of what was given. */
function numbersOf(
  name: "advantage" | "ratio",
  given: BatchNumbers | undefined,
  [N, T, L]: readonly [number, number, number],
  mask_ntl?: ArrayLike<number>,
): NumberAt {
  if (given === undefined) return () => undefined;
  const flat = flatOf(name, given);
  const places: Readonly<Record<number, (n: number, t: number, l: number) => number>> = {
    [N * T * L]: (n, t, l) => (n * T + t) * L + l,
    [N * T]: (n, t) => n * T + t,
    [N]: (n) => n,
  };
  const place = places[flat.length];
  if (place === undefined) {
    throw new TypeError(
      `Cannot ${action}: ${name} must have one number for each trajectory, turn or token, ${N}, ${N * T} or ${N * T * L}, ` +
        `got ${flat.length}.`,
    );
  }
  const wrong = Array.from(flat).findIndex((value, i) => {
    if (flat.length === N * T * L && mask_ntl && mask_ntl[i] !== 1) return false;
    return !Number.isFinite(value) || (name === "ratio" && value <= 0);
  });
  if (wrong >= 0) {
    const wanted = name === "ratio" ? "finite and above 0" : "finite";
    throw new RangeError(
      `Cannot ${action}: ${name} must be ${wanted}, but entry ${wrong} is ${flat[wrong]}.`,
    );
  }
  return (n, t, l) => flat[place(n, t, l)];
}

function flatOf(name: string, given: unknown): ArrayLike<number> {
  const one = given as { dataSync?: unknown; advantage_ntl?: ArrayLike<number>; length?: unknown } | null;
  if (typeof one === "object" && one !== null) {
    if (typeof one.dataSync === "function") return (one.dataSync as () => ArrayLike<number>).call(one);
    if (one.advantage_ntl !== undefined) return one.advantage_ntl;
    if (typeof one.length === "number") return one as ArrayLike<number>;
  }
  throw new TypeError(`Cannot ${action}: ${name} must be numbers in a list or a tensor, got ${told(given)}.`);
}

function advantagesBy(given: RecipeName | Recipe | undefined, batch: Batch): BatchNumbers | undefined {
  if (given === undefined) return undefined;
  const rule = rowOf(given);
  if (recipeNeeds(rule).value) {
    throw new TypeError(
      `Cannot ${action} by recipe ${rule.name}: its advantages must come from a critic. Compute them with advantages(batch, recipe, values), and give them as advantage.`,
    );
  }
  return advantages(batch, rule);
}

function clipOf({ recipe, clipLow, clipHigh }: DrawTrajectoryOptions): Scene["clip"] {
  const own = recipe === undefined ? unbounded : boundsOf(rowOf(recipe).gate);
  for (const [name, value] of Object.entries({ clipLow, clipHigh })) {
    if (value === undefined || value > 0) continue;
    throw new RangeError(`Cannot ${action}: ${name} must be above 0, got ${show(value)}.`);
  }
  return {
    low: clipLow === undefined ? own.low : 1 - clipLow,
    high: clipHigh === undefined ? own.high : 1 + clipHigh,
  };
}
