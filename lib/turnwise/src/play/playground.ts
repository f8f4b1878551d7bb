import { displaySymbol, type MimeBundle } from "../base/display";
import { seriesColors } from "../plot/palette";
import type { TrainRecord } from "../train";
import { Course } from "./course";
import { Deck } from "./deck";
import type { Film } from "./film";
import { filmLength } from "./filmPictures";
import { findKnobs } from "./knobs";
import { openingOf, type PlaygroundOptions } from "./options";
import { Pace } from "./pace";
import { Screen, type Scene } from "./screen";
import type { Settings, SettingName } from "./settings";
import { codeLine, type SteeredAt } from "./share";
import { Steered } from "./steered";
import { pictureNow, viewsOf, type Moment } from "./views";

const without =
  "The playground's knobs need turnwise's kernel and JupyterLab's widget manager; here is what it holds without them.";

/**
 * Training that you steer while it runs: every choice of the rule is a menu. There is a live learning curve against the exact
 * optimum where it is known, gauges, alarms, what the agent says, and a film of one update, step by step.
 *
 * A slider stands at the rule's own number, and follows it to another rule, until it is moved. A change of the rule goes on from
 * the present parameters, another world clears the chart and starts again, and what needs a new start waits for it.
 */
export class Playground {
  readonly #settings: Settings;
  readonly #updates: number;
  readonly #hasRule: boolean;
  readonly #pace: Pace;
  readonly #deck: Deck;
  #steered: Steered;
  #courses: readonly Course[];
  #planned: readonly SteeredAt[];
  #screen: Screen;
  #film: { readonly film: Film; index: number } | undefined;
  /** Changes with every start, pause and restart, so that an older loop ends. */
  #turn = 0;
  #going: Promise<void> = Promise.resolve();
  #filming = false;
  #running = false;
  #refused = false;
  #problem = "";
  #waiting = "";

  constructor(options: PlaygroundOptions) {
    const { settings, planned, updates, speed } = openingOf(options);
    this.#settings = settings;
    this.#hasRule = (options.recipe ?? options.row) !== undefined;
    this.#planned = planned;
    this.#updates = updates;
    this.#pace = new Pace(speed);
    this.#steered = new Steered(settings, updates);
    this.#courses = [new Course(settings)];
    this.#screen = new Screen(settings.env);
    this.#deck = new Deck(
      this.#values,
      this,
      viewsOf(() => this.#moment),
    );
  }

  get running(): boolean {
    return this.#running;
  }

  /** Records of the present run, the latest five thousand. */
  get records(): readonly TrainRecord[] {
    return this.#steered.records;
  }

  /** A line of code that opens this setting; run there, it gives this curve. */
  get code(): string {
    const { start, changes = [] } = this.#course;
    return codeLine({
      start,
      changes: [...changes, ...this.#planned],
      updates: this.#updates,
      hasRule: this.#hasRule,
    });
  }

  /** The film that is shown, with the trainer's own arrays. */
  get film(): Film | undefined {
    return this.#film?.film;
  }

  /** Trains until it is paused or all updates are done; with a number, at most so many updates. */
  run(updates = Infinity): Promise<void> {
    if (this.#running) return this.#going;
    this.#film = undefined;
    this.#problem = "";
    this.#running = true;
    this.#going = this.#train(updates, ++this.#turn);
    return this.#going;
  }

  /** Ends training after the update that is under way. */
  pause(): void {
    this.#turn++;
    this.#running = false;
    this.#pace.wake();
    this.#deck.draw(true);
  }

  /** Begins again with the present settings; the chart keeps the runs before. */
  reset(): void {
    this.pause();
    this.#try(() => {
      this.#begin(new Steered(this.#settings, this.#updates), true);
      this.#planned = [];
    }, "");
  }

  /** Makes one update and shows it as a film; each further call shows the next picture, and after the last one the next update. */
  async step(): Promise<void> {
    this.pause();
    if (this.#filming) return;
    this.#filming = true;
    try {
      await this.#going;
      if (this.#film && this.#film.index < filmLength - 1) this.#film.index++;
      else await this.#shoot();
    } catch (error) {
      this.#problem = messageOf(error);
    } finally {
      this.#filming = false;
      this.#deck.draw(true);
    }
  }

  /** Shows the film's picture before. */
  back(): void {
    if (this.#film && this.#film.index > 0) this.#film.index--;
    this.#deck.draw();
  }

  /** Moves one knob, as a person does. What cannot be is reported and leaves the training as it is. */
  set(name: SettingName | "speed", value: number | string): void {
    this.#try(() => {
      if (name === "speed") return this.#pace.hold(Number(value));
      this.#settings.set(name, value);
      this.#settings.follow();
      this.#apply();
    });
  }

  /** Takes back every change of the rule, such as one that another rule refuses; training goes on. */
  clear(): void {
    this.#try(() => {
      this.#settings.clear();
      this.#apply();
    });
  }

  [displaySymbol](): MimeBundle {
    if (findKnobs()) return { "text/plain": "The playground is shown above." };
    const picture = pictureNow(this.#moment);
    const text = `${picture.text()}\n${this.#screen.panelText(this.#scene)}`;
    return {
      "text/html": `<p>${without}</p>${picture.html()}${this.#screen.panelHtml(this.#scene, false)}`,
      "text/plain": `${without}\n${text}`,
    };
  }

  get #course(): Course {
    return this.#courses.at(-1)!;
  }

  get #scene(): Scene {
    return {
      steered: this.#steered,
      courses: this.#courses,
      updates: this.#updates,
      running: this.#running,
      rate: this.#pace.rate,
      speed: this.#pace.speed,
      problem: this.#problem,
      waiting: this.#waiting,
      seed: this.#settings.number("seed"),
    };
  }

  get #moment(): Moment {
    const codeIsWhole = this.#course.changes !== undefined;
    return { screen: this.#screen, scene: this.#scene, film: this.#film, code: this.code, codeIsWhole };
  }

  /** Values of all controls. */
  get #values(): Record<string, number | string> {
    return { ...this.#settings.values, speed: this.#pace.speed };
  }

  async #train(updates: number, turn: number): Promise<void> {
    this.#pace.start();
    this.#deck.draw();
    try {
      for (let done = 0; done < updates && turn === this.#turn; done++) {
        this.#changeAsPlanned();
        const steered = this.#steered;
        const record = await steered.next();
        // Another world has been chosen meanwhile.
        if (steered !== this.#steered) continue;
        if (record === undefined) {
          if (done === 0) this.#problem = allDone(this.#updates);
          break;
        }
        this.#note(record);
        if (turn === this.#turn) await this.#pace.wait();
      }
    } catch (error) {
      this.#problem = messageOf(error);
    } finally {
      if (turn === this.#turn) this.#running = false;
      this.#deck.draw(true);
    }
  }

  async #shoot(): Promise<void> {
    this.#changeAsPlanned();
    const film = await this.#steered.film();
    if (!film) {
      this.#film = undefined;
      this.#problem = allDone(this.#updates);
      return;
    }
    this.#problem = "";
    this.#note(film.record);
    this.#film = { film, index: 0 };
  }

  #changeAsPlanned(): void {
    const [next] = this.#planned;
    if (next?.after !== this.#steered.update) return;
    this.#planned = this.#planned.slice(1);
    const { after: _, ...changed } = next;
    for (const [name, value] of Object.entries(changed)) this.#settings.set(name, value);
    this.#settings.follow();
    this.#apply();
  }

  /** Lets the settings take effect as far as they can without a loss; throws if they do not fit together. */
  #apply(): void {
    const steered = this.#steered;
    if (this.#settings.env !== steered.id) {
      this.#begin(new Steered(this.#settings, this.#updates), false);
      this.#planned = [];
      return;
    }
    if (steered.update === 0) return this.#begin(new Steered(this.#settings, this.#updates), true);
    const reasons = steered.waitsFor(this.#settings);
    this.#waiting = reasons.all.length === 0 ? "" : `restart to apply: ${reasons.all.join("; ")}`;
    if (reasons.otherAgent) return;
    steered.steer(this.#settings);
    this.#course.steered(this.#settings, steered.update);
  }

  /** A new run. Those before stay on the chart, as many as have a color of their own, unless they are from another world. */
  #begin(steered: Steered, keep: boolean): void {
    const before = keep ? this.#courses.filter(({ track }) => track.points.length > 0) : [];
    this.#steered = steered;
    this.#courses = [...before, new Course(this.#settings)].slice(-seriesColors.length);
    this.#screen = new Screen(this.#settings.env);
    this.#film = undefined;
    this.#waiting = "";
  }

  #note(record: TrainRecord): void {
    this.#course.note(record.update, record.metrics[this.#steered.metric]);
    this.#screen.note(record);
    this.#pace.note();
    this.#deck.draw();
  }

  #try(change: () => void, otherwise = " Training goes on without it."): void {
    try {
      change();
      this.#problem = "";
      this.#refused = false;
    } catch (error) {
      const message = messageOf(error);
      this.#problem = `${message}${/[.?!]$/.test(message) ? "" : "."}${otherwise}`;
      this.#refused = true;
    }
    this.#deck.show(this.#values);
    this.#deck.mark(this.#waiting !== "", this.#refused);
    this.#deck.draw();
  }
}

const allDone = (updates: number): string => `All ${updates} updates are done: restart to begin again.`;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
