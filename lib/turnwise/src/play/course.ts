import { compareRecipes, recipe } from "../rule";
import { rowLabel } from "../rule/custom/customFunctions";
import type { Look } from "./curveNames";
import { places, type Settings } from "./settings";
import { mostChanges, withChange, type SomeSettings, type SteeredAt } from "./share";
import { Track } from "./track";

/** Changes that follow each other as fast as this are one drag of a slider. */
const oneDragMs = 1500;
/** As comparisons of rules call them. */
const fields = new Set<string>(Object.values(places).map((place) => place.replace(/\.kind$/, "")));

/** A change as the chart marks it. */
export interface Mark {
  readonly after: number;
  readonly words: string;
}

/** One run of a playground: its curve, what it began with, and what was changed while it went on. */
export class Course {
  readonly track = new Track();
  readonly start: SomeSettings;
  /** The rule's name, for charts. */
  readonly label: string;
  readonly #looks: { readonly after: number; readonly look: Look }[];
  #update = 0;
  #changes: readonly SteeredAt[] = [];
  #marks: (Mark & { readonly names: string; readonly at: number })[] = [];
  #chosen: SomeSettings;
  #tooMany = false;

  constructor(settings: Settings) {
    this.start = settings.chosen;
    this.#chosen = this.start;
    this.label = rowLabel(settings.row);
    this.#looks = [{ after: 0, look: lookOf(settings) }];
  }

  /** Changes so far; undefined if there are too many for a line of code. */
  get changes(): readonly SteeredAt[] | undefined {
    return this.#tooMany ? undefined : this.#changes;
  }

  /** Settings that it was trained with, one after the other; a change without an update after it does not count. */
  get looks(): readonly Look[] {
    return this.#looks.filter(({ after }, i) => i === 0 || after < this.#update).map(({ look }) => look);
  }

  get marks(): readonly Mark[] {
    return this.#marks;
  }

  /** An update was made; a point of the curve, if it was measured. */
  note(update: number, y: number | undefined): void {
    this.#update = update;
    if (y !== undefined) this.track.add({ x: update, y });
  }

  /** The run goes on with other settings, except for the seed, which is that of its start. */
  steered(settings: Settings, after: number, now = performance.now()): void {
    const { seed: _, env: __, ...changed } = settings.changesFrom(this.#chosen);
    this.#chosen = settings.chosen;
    if (Object.keys(changed).length === 0) return;
    this.#changes = withChange(this.#changes, after, changed);
    if (this.#changes.length > mostChanges) {
      this.#tooMany = true;
      this.#changes = this.#changes.slice(1);
    }
    const look = lookOf(settings);
    const mark = { after, words: wordsOf(changed, look), names: Object.keys(changed).join(), at: now };
    const last = this.#marks.at(-1);
    const sameDrag = last?.names === mark.names && now - last.at < oneDragMs;
    const known = this.#looks.length > 1 && (sameDrag || this.#looks.at(-1)!.after === after);
    if (known || this.#looks.length > mostChanges) this.#looks.pop();
    this.#looks.push({ after, look });
    this.#marks = [...(sameDrag ? this.#marks.slice(0, -1) : this.#marks), mark].slice(-mostChanges);
  }
}

function wordsOf(changed: SomeSettings, look: Look): string {
  return Object.entries(changed)
    .map(([name, value]) => (name === "recipe" ? look.recipe : `${name} ${String(value)}`))
    .join(", ");
}

function lookOf(settings: Settings): Look {
  const { row: rule } = settings;
  const { differences } = compareRecipes(recipe(rule.name), rule);
  return {
    recipe: rowLabel(rule),
    changed: Object.fromEntries(
      differences
        .filter(({ field }) => fields.has(field))
        .map(({ field, values }) => [field, { now: values[1]!, inRow: values[0]! }]),
    ),
    others: Object.fromEntries(
      (["groups", "groupSize", "seed"] as const).map((name) => [name, String(settings.number(name))]),
    ),
  };
}

/** The fields in which a rule differs from the recipe of its name, in words. */
export function changesOfRow(rule: Settings["row"]): string {
  const { differences } = compareRecipes(recipe(rule.name), rule);
  const changed = differences.map(({ field, values }) => `${field}: ${values[0]!} → ${values[1]!}`);
  return changed.length === 0 ? "the rule as it stands in the table" : `changed: ${changed.join("; ")}`;
}
