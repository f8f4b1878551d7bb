import type { Batch } from "../batch/batch";
import type { MetricName } from "../base/glossary";
import type { Tiles } from "../env/grid/drawGrid";
import { drawLoop, type LoopPart } from "../plot/drawLoop";
import { drawTrajectory } from "../plot/drawTrajectory";
import type { Drawing } from "../plot/drawing";
import { escapeHtml } from "../plot/escapeHtml";
import { plainNumber } from "../plot/trajectory/words";
import { gateOf } from "../rule/gate";
import { drawDecision } from "./drawDecision";
import type { Decision, Film } from "./film";
import { groupOf } from "./shownGroup";

/** One picture of the film. */
export interface FilmPicture {
  readonly title: string;
  readonly lit: readonly LoopPart[];
  /** Description of this picture, with the numbers of this update. */
  readonly words: string;
  readonly drawing: Drawing | undefined;
}

/** Number of pictures in a film. */
export const filmLength = 5;

/** The pictures of an update: rollout, advantages, ratios, gradient, new policy. */
export function filmPictures(
  film: Film,
  tiles: Tiles | undefined,
  vocabulary: readonly string[],
): FilmPicture[] {
  const draw = (batch: Batch | undefined, more: Parameters<typeof drawTrajectory>[1]): Drawing | undefined =>
    batch &&
    drawTrajectory(batch, { trajectory: groupOf(batch), vocabulary, ...(tiles && { tiles }), ...more });
  const { kept, recipe, advantage_ntl, ratio_ntl, decision } = film;
  const advantage = advantage_ntl;
  return [
    {
      title: "Rollout",
      lit: ["agent", "world"],
      words: rolloutWords(film),
      drawing: draw(kept ?? film.sampled, { title: "One group of the batch" }),
    },
    {
      title: "Advantages",
      lit: ["rule"],
      words: advantageWords(film),
      drawing: draw(kept, { advantage, title: "Blue: better than expected; orange: worse" }),
    },
    {
      title: "Ratios",
      lit: ["rule"],
      words: ratioWords(film),
      drawing: draw(kept, { advantage, ratio: ratio_ntl, recipe, title: "Bars: new over old probability" }),
    },
    {
      title: "Gradient",
      lit: ["rule", "trainer"],
      words: gradientWords(film),
      drawing: decision && drawDecision(decision, "gradient"),
    },
    {
      title: "New policy",
      lit: ["trainer", "agent"],
      words: policyWords(film),
      drawing: decision && drawDecision(decision, "result"),
    },
  ];
}

/** A picture as HTML: the loop with its active part lit, the words beside it, the drawing below. */
export function pictureHtml(picture: FilmPicture, index: number, update: number): string {
  const head = headOf(picture, index, update);
  const drawn = picture.drawing
    ? `<div>${fitted(picture.drawing.svg, "max-width:100%;max-height:310px;display:block")}</div>`
    : "";
  return (
    `<div style="display:flex;flex-wrap:wrap;gap:6px 14px;align-items:center;line-height:1.4;margin-bottom:6px">` +
    `<div style="flex:0 0 290px">${fitted(drawLoop(picture.lit).svg, "width:290px;height:auto;display:block")}</div>` +
    `<div style="flex:1 1 220px"><strong>${escapeHtml(head)}</strong><br>${escapeHtml(picture.words)}</div></div>${drawn}`
  );
}

/** A picture for a terminal. */
export function pictureText(picture: FilmPicture, index: number, update: number): string {
  const lines = [headOf(picture, index, update), picture.words, picture.drawing?.toString() ?? ""];
  return lines.filter((line) => line !== "").join("\n");
}

const headOf = ({ title }: FilmPicture, index: number, update: number): string =>
  `Update ${String(update)}, picture ${String(index + 1)} of ${String(filmLength)}: ${title}`;

const fitted = (svg: string, style: string): string =>
  svg.replace('style="max-width:100%;height:auto"', `style="${style}"`);

const metric = ({ record }: Film, name: MetricName): string => {
  const value = record.metrics[name];
  return value === undefined ? "unknown" : plainNumber(value, 3);
};

const nothingKept = "The rule's filter kept no group, so there is nothing to learn from in this update.";

function rolloutWords(film: Film): string {
  const { sampled, kept } = film;
  const groups = new Set(sampled.groupId).size;
  const rest =
    kept && kept.shape[0] < sampled.shape[0] ? ` The filter kept ${String(kept.shape[0])} of them.` : "";
  return (
    `The agent played ${String(sampled.shape[0])} episodes in ${String(groups)} groups; each group starts from the same state. ` +
    `Mean reward: ${metric(film, "reward/mean")}.${rest}${kept ? "" : ` ${nothingKept}`}`
  );
}

function advantageWords({ kept, advantage_ntl, recipe }: Film): string {
  if (!kept) return nothingKept;
  const trained = advantage_ntl.filter((_, i) => kept.mask_ntl[i] === 1);
  if (trained.every((value) => value === 0)) {
    return `${recipe.name} gives every token the advantage 0: each group agrees on its reward, and nothing is left to compare.`;
  }
  const [low, high] = [least(trained), most(trained)];
  return `${recipe.name} turns rewards into one number for each token, from ${plainNumber(low, 3)} to ${plainNumber(high, 3)}.`;
}

function ratioWords(film: Film): string {
  if (!film.kept) return nothingKept;
  if (!gateOf(film.recipe.gate).needsRatio) {
    return `${film.recipe.name} looks at no ratio. The bars show how much likelier each token was at the last step than when it was sampled.`;
  }
  const steps = film.steps === 1 ? "One step" : `${String(film.steps)} steps`;
  const high = film.record.metrics["policy/clipFracHigh"] ?? 0;
  const low = film.record.metrics["policy/clipFracLow"] ?? 0;
  return (
    `${steps}: the first begins with ratios of 1, as nothing has moved. Over all steps the ratios lie between ` +
    `${metric(film, "policy/ratioMin")} and ${metric(film, "policy/ratioMax")}; the clip stops ${percent(low + high)} of the tokens.`
  );
}

function gradientWords(film: Film): string {
  if (!film.kept) return nothingKept;
  const { decision } = film;
  const norm = `Norm of the gradient: ${metric(film, "policy/gradNorm")}.`;
  if (!decision) return `${norm} This policy does not tell the probabilities of all words.`;
  if (decision.push.every((push) => push === 0)) {
    return `${norm} No token has an advantage, so nothing is pushed anywhere. Below, the agent's first choice.`;
  }
  return `${norm} The choice that is pushed hardest: ${choiceWords(decision)}. The arrows add up what all its samples ask for.`;
}

function policyWords(film: Film): string {
  if (!film.kept) return nothingKept;
  const { exact, decision } = film;
  const aim = exact
    ? ` Exact return: ${plainNumber(exact.before, 4)} → ${plainNumber(exact.after, 4)}.`
    : ` Mean reward of the batch: ${metric(film, "reward/mean")}.`;
  const same = decision ? " The same choice: the line is the old probability, the bar the new one." : "";
  return `The trainer has taken ${String(film.steps)} step${film.steps === 1 ? "" : "s"}.${aim}${same}`;
}

function choiceWords({ turn, observation, written }: Decision): string {
  const heard = observation.includes("\n") || observation === "" ? "" : ` after “${observation.trim()}”`;
  const so = written.length === 0 ? "its first word" : `the word after “${written.join(" ")}”`;
  return `in turn ${String(turn)}${heard}, ${so}`;
}

const percent = (share: number): string => `${plainNumber(100 * share, 1)} %`;
const least = (values: Float64Array): number => values.reduce((a, b) => Math.min(a, b));
const most = (values: Float64Array): number => values.reduce((a, b) => Math.max(a, b));
