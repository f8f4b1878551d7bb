import { expectKnown, expectWhole } from "../base/expect";
import { make, type Env } from "../env";
import type { Metrics, MetricName } from "../base/glossary";
import { displaySymbol, liveSymbol, type MimeBundle } from "../base/display";
import { LiveCurve } from "../plot/liveCurve";
import { seriesColors } from "../plot/palette";
import { compareRecipes, recipe, type Recipe } from "../rule";
import { rowLabel } from "../rule/ownFunctions";
import { createRng } from "../base/rng";
import type { TrainRecord } from "../train";
import { sampleDialogues } from "./dialogue";
import { findKnobs, type KnobPanel } from "./knobs";
import { gauges, panelHtml, panelText, type PanelState } from "./panel";
import { asInRow, Settings, settingKnobs, type SettingName } from "./settings";
import { Steered } from "./steered";

export interface PlaygroundOptions {
  /** Settings to begin with, by the name of their knob. */
  readonly start?: Readonly<Partial<Record<SettingName, number | string>>>;
  /** A row of your own, also one with functions of your own: it takes the place of the recipe that it was made from. */
  readonly row?: Recipe;
  /** Training ends after this many updates. Default 400. */
  readonly updates?: number;
}

const without =
  "The playground's knobs need turnwise's kernel and JupyterLab's widget manager; here is what it holds without them.";

/** Redraws the parts of the playground that are on the page. */
class Redraw {
  readonly #listeners = new Set<() => void>();

  subscribe(notify: () => void): () => void {
    this.#listeners.add(notify);
    return () => this.#listeners.delete(notify);
  }

  now(): void {
    for (const notify of this.#listeners) notify();
  }
}

/** An object that displays itself and is drawn again at every redraw. */
function view(redraw: Redraw, bundle: () => MimeBundle): object {
  return { [displaySymbol]: bundle, [liveSymbol]: (notify: () => void) => redraw.subscribe(notify) };
}

/**
 * Training that you steer while it runs: every choice of the row is a menu; there are run, pause and reset, a live learning
 * curve against the exact optimum where it is known, gauges with the monitor's alarms, and dialogues of the agent.
 *
 * A slider stands at the row's own number, and follows it to another row, until it is moved. Changing a rule goes on from the present
 * parameters, changing world or seed starts anew. Training gives the event loop a turn every few milliseconds.
 */
export class Playground {
  readonly #settings: Settings;
  readonly #updates: number;
  readonly #redraw = new Redraw();
  readonly #panels: object[];
  readonly #knobs: KnobPanel | undefined;
  /** Sliders are moved by the playground itself, to the numbers of another row. */
  #following = false;
  #steered: Steered;
  #talker: Env;
  #curve: LiveCurve;
  #finished: { name: string; records: readonly TrainRecord[] }[] = [];
  #series = "";
  #starts = 0;
  /** Changes with every start, pause and reset, so that an older loop ends. */
  #turn = 0;
  #running = false;
  #problem = "";
  #highest: Partial<Record<MetricName, number>> = {};

  constructor(options: PlaygroundOptions) {
    expectKnown("open the playground", options, ["start", "row", "updates"]);
    const { start = {}, row, updates = 400 } = options;
    expectWhole("open the playground", "updates", updates, 1);
    this.#settings = new Settings(start, row);
    this.#updates = updates;
    this.#steered = new Steered(this.#settings, updates);
    this.#talker = make(this.#settings.env);
    this.#curve = this.#newCurve();
    this.#begin();
    this.#panels = [
      view(this.#redraw, () => this.#curve[displaySymbol]()),
      view(this.#redraw, () => {
        const state = this.#state();
        return { "text/html": panelHtml(state), "text/plain": panelText(state) };
      }),
    ];
    this.#knobs = findKnobs()?.(
      {
        run: { kind: "button", run: () => void this.run() },
        pause: { kind: "button", run: () => this.pause() },
        reset: { kind: "button", run: () => this.reset() },
        [asInRow]: { kind: "button", run: () => this.clear() },
        ...settingKnobs,
      },
      { start: this.#settings.values, below: this.#panels },
    );
    this.#knobs?.onChange((values, changed) => {
      if (!this.#following) this.set(changed as SettingName, values[changed]!);
    });
  }

  get running(): boolean {
    return this.#running;
  }

  /** Records of the present run. */
  get records(): readonly TrainRecord[] {
    return this.#steered.records;
  }

  /** Trains until it is paused or all updates are done; with a number, at most so many updates. */
  async run(updates = Infinity): Promise<void> {
    if (this.#running) return;
    const turn = ++this.#turn;
    this.#running = true;
    this.#problem = "";
    try {
      for (let done = 0; done < updates && turn === this.#turn; done++) {
        const record = await this.#steered.next();
        if (record === undefined) break;
        this.#note(record);
      }
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    } finally {
      if (turn === this.#turn) this.#running = false;
      this.#redraw.now();
    }
  }

  pause(): void {
    this.#turn++;
    this.#running = false;
    this.#redraw.now();
  }

  /** Begins again with the present settings; the curve keeps the runs before. */
  reset(): void {
    this.pause();
    this.#try(() => {
      const next = new Steered(this.#settings, this.#updates);
      this.#keep();
      this.#steered = next;
      this.#begin();
    });
  }

  /** Moves one knob, as a person does. Settings that do not fit together are reported and leave the training as it is. */
  set(name: SettingName, value: number | string): void {
    this.#settings.set(name, value);
    this.#settings.follow();
    this.#steer(name);
  }

  /** Takes back every change of the row, such as one that another row refuses; training goes on. */
  clear(): void {
    this.#settings.clear();
    this.#steer("");
  }

  #steer(changed: string): void {
    this.#moveKnobs();
    this.#try(() => {
      const before = this.#steered.records;
      if (this.#steered.steer(this.#settings, changed) === "steered") return;
      this.#keep(before);
      this.#begin();
    });
  }

  [displaySymbol](): MimeBundle {
    const text = panelText(this.#state());
    if (findKnobs()) return { "text/plain": text };
    return {
      "text/html": `<p>${without}</p>${panelHtml(this.#state())}`,
      "text/plain": `${without}\n${text}`,
    };
  }

  /** Shows the settings on the page, where another row has changed those that nobody has touched. */
  #moveKnobs(): void {
    if (!this.#knobs) return;
    this.#following = true;
    try {
      Object.assign(this.#knobs, this.#settings.values);
    } finally {
      this.#following = false;
    }
  }

  #try(change: () => void): void {
    try {
      change();
      this.#problem = "";
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
    this.#redraw.now();
  }

  #begin(): void {
    this.#starts++;
    this.#series = `${String(this.#starts)} ${rowLabel(this.#settings.row)}`;
    this.#highest = {};
    this.#talker = make(this.#settings.env);
    this.#curve = this.#newCurve();
  }

  /** Keeps a finished run for the curve: as many as have a colour of their own beside the present one. */
  #keep(records: readonly TrainRecord[] = this.#steered.records): void {
    if (records.length === 0) return;
    this.#finished = [...this.#finished, { name: this.#series, records }].slice(1 - seriesColors.length);
  }

  #newCurve(): LiveCurve {
    const { metric, optimum } = this.#steered;
    const curve = new LiveCurve({
      metric,
      title: this.#settings.env,
      total: this.#updates,
      ...(optimum === undefined ? {} : { optimum }),
    });
    for (const { name, records } of this.#finished) for (const record of records) curve.add(record, name);
    return curve;
  }

  #note(record: TrainRecord): void {
    for (const name of gauges) {
      const value = record.metrics[name];
      if (value !== undefined) this.#highest[name] = Math.max(this.#highest[name] ?? 0, value);
    }
    this.#curve.add(record, this.#series);
    this.#redraw.now();
  }

  #state(): PanelState {
    const { records, run, monitor } = this.#steered;
    const last = records.at(-1);
    const metrics: Metrics | undefined = last?.metrics;
    const { differences } = compareRecipes(recipe(run.recipe.name), run.recipe);
    const changed = differences.map(({ cell, values }) => `${cell}: ${values[0]!} → ${values[1]!}`);
    return {
      status: `${this.#running ? "▶ running" : "❚❚ paused"}: ${this.#settings.env}, ${rowLabel(run.recipe)}, update ${last?.update ?? 0} of ${this.#updates}`,
      problem: this.#problem,
      changes: changed.length === 0 ? "the row as it stands in the table" : `changed: ${changed.join("; ")}`,
      metrics,
      highest: this.#highest,
      alarms: monitor.alarms,
      dialogues: sampleDialogues(
        this.#talker,
        run.policy,
        createRng(this.#settings.number("seed")).split("dialogue", last?.update ?? 0),
        2,
      ),
    };
  }
}

/**
 * Opens a playground. In turnwise's kernel its controls appear at once; elsewhere `run(updates)` trains and the object shows its
 * state.
 *
 * @throws {RangeError} if a setting is unknown or the settings do not fit together
 * @example
 * import { playground } from "turnwise";
 * playground({ start: { env: "LookUp-v0", recipe: "seeUpo" } });
 */
export function playground(options: PlaygroundOptions = {}): Playground {
  return new Playground(options);
}
