import { card, type Card } from "../../base/card";
import { displaySymbol, type MimeBundle } from "../../base/display";
import { escapeHtml } from "../../base/escapeHtml";
import { glossary } from "../../base/glossary";
import type { Observation } from "../../env/env";
import { isRecipe, isRecipeTable, recipeCard, recipesCard } from "../../rule/card";
import { metricsTable, recordCard, recordsCard } from "../../train/card";
import type { TrainRecord } from "../../train/records";
import { isOutcome, isRunning, sweepTable } from "../sweepTable";
import { batchCard, episodesCard, isBatch, isEpisode } from "./batchCard";
import { checkpointCard, isCheckpoint } from "./checkpointCard";

/** An object that a notebook can show. */
interface Shown {
  [displaySymbol](): MimeBundle;
}

/**
 * The card of a value that is plain data and so cannot display itself: a row, records, a batch, the result of a sweep, a
 * checkpoint, an observation. Undefined for anything else.
 *
 * What it is shown as changes nothing about the value: it stays data that a file, a thread or a spread can carry.
 */
export function cardOf(value: unknown): Shown | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [is, cardFor] of kinds) if (is(value)) return cardFor(value as never);
  return undefined;
}

type Kind = readonly [is: (value: object) => boolean, cardFor: (value: never) => Shown];

const kinds: readonly Kind[] = [
  [isRecipe, recipeCard],
  [isRecipeTable, recipesCard],
  [isBatch, batchCard],
  [isRunning, sweepTable],
  [isOutcome, sweepTable],
  [isCheckpoint, checkpointCard],
  [isRecord, recordCard],
  [(value) => isListOf(value, isRecord), recordsCard],
  [isMetrics, (metrics: TrainRecord["metrics"]) => card({ title: "Metrics", ...metricsTable(metrics) })],
  [isEpisode, (episode: never) => episodesCard([episode])],
  [(value) => isListOf(value, isEpisode), episodesCard],
  [isObservation, observationCard],
  [isReset, ([observation]: [Observation]) => observationCard(observation)],
  [isStep, stepCard],
];

function isListOf(value: object, is: (one: object) => boolean): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.every((one: unknown) => typeof one === "object" && one !== null && is(one));
}

function isRecord(value: object): boolean {
  const { update, samples, optimizerSteps, metrics } = value as Partial<TrainRecord>;
  return (
    typeof update === "number" &&
    typeof samples === "number" &&
    typeof optimizerSteps === "number" &&
    isObject(metrics)
  );
}

function isMetrics(value: object): boolean {
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => Object.hasOwn(glossary, name));
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function isObservation(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { tokens, text } = value as Partial<Observation>;
  return Array.isArray(tokens) && typeof text === "string" && Object.keys(value).length <= 3;
}

/** Whether it is the result of `env.reset()`. */
function isReset(value: object): boolean {
  return Array.isArray(value) && value.length === 2 && isObservation(value[0]) && isObject(value[1]);
}

/** Whether it is the result of `env.step(action)`. */
function isStep(value: object): boolean {
  return (
    Array.isArray(value) &&
    value.length === 5 &&
    isObservation(value[0]) &&
    typeof value[1] === "number" &&
    typeof value[2] === "boolean"
  );
}

function observationCard({ text, tokens, agent }: Observation): Card {
  const turn = agent === undefined ? "" : `; ${agent} is next`;
  return card({
    title: "What the agent sees",
    picture: said(text),
    note: `${tokens.length} token${tokens.length === 1 ? "" : "s"}${turn}`,
  });
}

function stepCard([{ text }, reward, terminated, truncated, info]: [
  Observation,
  number,
  boolean,
  boolean,
  Readonly<Record<string, unknown>>,
]): Card {
  const end = terminated ? "yes" : truncated ? "cut off by a limit" : "no";
  return card({
    title: `Reward ${reward}`,
    picture: said(text),
    rows: [
      ["the episode has ended", end],
      ...Object.entries(info).map(([name, value]) => [name, String(value)]),
    ],
  });
}

/** Maps stand as they are, each character in its place. */
function said(text: string): { html: string; text: string } {
  return { html: `<pre style="margin:.4em 0;line-height:1.15">${escapeHtml(text)}</pre>`, text };
}
