import { make, type Env } from "../env";
import { createRng } from "../base/rng";
import type { MetricName } from "../base/glossary";
import { seriesColors, seriesDashes } from "../plot/palette";
import { seriesStyles } from "../plot/ruleStyle";
import { rowLabel } from "../rule/custom/customFunctions";
import type { TrainRecord } from "../train";
import { changesOfRow, type Course } from "./course";
import { curveNames } from "./curveNames";
import { sampleDialogues } from "./dialogue";
import { curvesHtml, curvesText, type CurvesPicture } from "./drawCurves";
import { fastest, rateText } from "./pace";
import { gauges, panelHtml, panelText, type PanelState } from "./panel";
import type { Steered } from "./steered";

/** Input of the screen's drawing. */
export interface Scene {
  readonly steered: Steered;
  /** The runs of the chart, the present one last. */
  readonly courses: readonly Course[];
  readonly updates: number;
  readonly running: boolean;
  readonly rate: number | undefined;
  readonly speed: number;
  readonly problem: string;
  readonly waiting: string;
  readonly seed: number;
}

/** View of the playground next to its controls, with the state that it needs. */
export class Screen {
  #talker: Env;
  #highest: Partial<Record<MetricName, number>> = {};

  /** @param env the id of the world in which the agent is heard */
  constructor(env: string) {
    this.#talker = make(env);
  }

  /** A bar is full at the highest value so far. */
  note({ metrics }: TrainRecord): void {
    for (const name of gauges) {
      const value = metrics[name];
      if (value !== undefined) this.#highest[name] = Math.max(this.#highest[name] ?? 0, value);
    }
  }

  chartHtml(scene: Scene): string {
    return curvesHtml(pictureOf(scene));
  }

  chartText(scene: Scene): string {
    return curvesText(pictureOf(scene));
  }

  panelHtml(scene: Scene, short: boolean): string {
    return panelHtml(this.state(scene), { short });
  }

  panelText(scene: Scene): string {
    return panelText(this.state(scene));
  }

  state({ steered, updates, running, rate, speed, problem, waiting, seed }: Scene): PanelState {
    const { run, watch, update, records } = steered;
    const held = speed < fastest ? ` (at most ${String(speed)})` : "";
    const pace = running && rate !== undefined ? `, ${rateText(rate)}${held}` : "";
    return {
      status: `${running ? "▶ running" : "❚❚ paused"}: ${steered.id}, ${rowLabel(run.recipe)}, update ${String(update)} of ${String(updates)}${pace}`,
      problem,
      waiting,
      changes: changesOfRow(run.recipe),
      metrics: records.at(-1)?.metrics,
      highest: this.#highest,
      alarms: watch.active,
      dialogues: sampleDialogues(this.#talker, run.policy, createRng(seed).split("dialogue", update), 2),
    };
  }
}

function pictureOf({ steered, courses, updates }: Scene): CurvesPicture {
  const names = curveNames(courses.map(({ looks }) => looks));
  // A rule looks the same in every chart; runs of one rule differ in all that can differ.
  const oneRule = new Set(courses.map(({ label }) => label)).size === 1 && courses.length > 1;
  const styles = oneRule
    ? courses.map((_, i) => ({ color: seriesColors[i]!, dash: seriesDashes[i]! }))
    : seriesStyles(courses.map(({ label }, i) => `${label}, ${names[i]!}`));
  return {
    title: steered.id,
    metric: steered.metric,
    curves: courses.map(({ track }, i) => ({ name: names[i]!, style: styles[i]!, points: track.points })),
    optimum: steered.optimum,
    total: updates,
    changes: courses.at(-1)!.marks,
  };
}
