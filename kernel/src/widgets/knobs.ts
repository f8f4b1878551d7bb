import { inspect } from "node:util";
import { display } from "../display/api.js";
import { displaySymbol } from "../display/bundle.js";
import type { MimeBundle } from "../protocol/message.js";
import { escapeHtml } from "../display/html.js";
import * as models from "./generated.js";
import { hasWidgetHost } from "./host.js";
import { dropdown } from "./selection.js";
import type { AnyWidgetModel, Widget } from "./widget.js";

/** A slider over powers: equal distances multiply by equal factors. */
export interface LogRange {
  readonly kind: "log";
  readonly min: number;
  readonly max: number;
}

/** A button; its knob has no value. */
export interface ButtonKnob {
  readonly kind: "button";
  readonly run: () => unknown;
}

/**
 * What one knob is made of: `[min, max]` or `[min, max, step]` a slider, `log(min, max)` a slider over powers, a list of
 * texts (or of more than three numbers) a menu, a boolean a checkbox, a number or a text a field, `button(run)` a button.
 */
export type Knob =
  | LogRange
  | ButtonKnob
  | readonly [min: number, max: number]
  | readonly [min: number, max: number, step: number]
  | readonly (string | number)[]
  | boolean
  | number
  | string;

/** The type of a knob's value. */
export type KnobValue<K> = K extends LogRange
  ? number
  : K extends readonly (infer V)[]
    ? V extends number
      ? number
      : V
    : K extends boolean
      ? boolean
      : K extends number
        ? number
        : string;

/** The values of all knobs but the buttons. */
export type KnobValues<S> = {
  -readonly [N in keyof S as S[N] extends ButtonKnob ? never : N]: KnobValue<S[N]>;
};

export interface KnobsOptions<S> {
  /** Values to begin with. Default: the middle of a slider, the first entry of a menu. */
  readonly start?: Partial<KnobValues<S>>;
  /** Shown below the knobs, such as a live chart. */
  readonly below?: readonly object[];
}

/** What `knobs` returns: the values, which move with the controls. */
export type Knobs<S> = KnobValues<S> & {
  /** Calls a function with all values and the name of the one that changed; the result ends that. */
  onChange(listener: (values: KnobValues<S>, changed: keyof KnobValues<S>) => void): () => void;
  /** A copy of all values. */
  values(): KnobValues<S>;
  /** Shows the controls again. */
  show(): void;
};

const reserved = ["onChange", "values", "show"];
const without =
  "These knobs can be moved where JupyterLab's widget manager runs; here they stand at their values.";

interface Control {
  readonly name: string;
  readonly widget: AnyWidgetModel | undefined;
  /** Completes "must be ...". */
  readonly wanted: string;
  accepts(value: unknown): boolean;
  read(): unknown;
  write(value: unknown): void;
  watch(changed: () => void): void;
}

/** A slider over powers of ten from `min` to `max`, both above 0. */
export function log(min: number, max: number): LogRange {
  if (!(min > 0 && max > min && max < Infinity)) {
    throw new RangeError(
      `Cannot make a log range as its ends must be above 0 and grow: current values are ${String(min)} and ${String(max)}`,
    );
  }
  return { kind: "log", min, max };
}

/** A button that calls a function. */
export function button(run: () => unknown): ButtonKnob {
  return { kind: "button", run };
}

/**
 * Shows labelled controls and returns their values as one typed object: reading a property gives the present value, setting
 * it moves the control. Values also change while an awaited loop runs.
 *
 * Without a widget manager a table takes the place of the controls; without a kernel session nothing is shown.
 *
 * @throws RangeError for a range that does not grow, an empty menu, a reserved name, or a value outside of its knob
 *
 * @example
 * const k = knobs({ learningRate: log(1e-3, 1), clipHigh: [0.1, 0.5], recipe: ["grpo", "rloo"] });
 * k.onChange(({ learningRate }) => console.log(learningRate));
 */
export function knobs<const S extends Readonly<Record<string, Knob>>>(
  spec: S,
  { start = {}, below = [] }: KnobsOptions<S> = {},
): Knobs<S> {
  const clash = reserved.find((name) => name in spec);
  if (clash !== undefined) {
    throw new RangeError(
      `Cannot make knobs as their names must not be ${reserved.join(", ")}: current value is ${JSON.stringify(clash)}`,
    );
  }
  const live = hasWidgetHost();
  const buttons: AnyWidgetModel[] = [];
  const controls: Control[] = [];
  for (const [name, knob] of Object.entries(spec)) {
    if (isButton(knob)) {
      if (live) buttons.push(buttonWidget(name, knob.run));
    } else controls.push(controlOf(name, knob, live));
  }
  const unknown = Object.keys(start).find((name) => !controls.some((control) => control.name === name));
  if (unknown !== undefined) {
    throw new RangeError(
      `Cannot start knobs as each value must belong to a knob: got ${JSON.stringify(unknown)}`,
    );
  }
  for (const control of controls) {
    const value = (start as Record<string, unknown>)[control.name];
    if (value !== undefined) set(control, value);
  }
  const read = (): KnobValues<S> =>
    Object.fromEntries(controls.map((control) => [control.name, control.read()])) as KnobValues<S>;
  const listeners = new Set<(values: KnobValues<S>, changed: keyof KnobValues<S>) => void>();
  for (const control of controls) {
    control.watch(() => {
      for (const listener of listeners) listener(read(), control.name as keyof KnobValues<S>);
    });
  }
  const view = live ? boxOf(controls, buttons) : undefined;
  const text = (): string =>
    controls.map(({ name, read: value }) => `${name}: ${inspect(value())}`).join(", ");
  const bundle = (): MimeBundle => ({
    ...view?.[displaySymbol](),
    "text/html": table(controls),
    "text/plain": text(),
  });
  const show = (): void => {
    if (!live) return;
    display(bundle(), { raw: true });
    for (const one of below) display(one);
  };
  const result = {};
  for (const control of controls) {
    Object.defineProperty(result, control.name, {
      get: () => control.read(),
      set: (value: unknown) => set(control, value),
      enumerable: true,
    });
  }
  const methods = {
    onChange: (listener: (values: KnobValues<S>, changed: keyof KnobValues<S>) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    values: read,
    show,
    // The controls are on the page already: a cell that ends with them shows their values.
    [displaySymbol]: (): MimeBundle => ({ "text/plain": text() }),
  };
  for (const name of Reflect.ownKeys(methods)) {
    Object.defineProperty(result, name, { value: methods[name as keyof typeof methods], enumerable: false });
  }
  show();
  return result as Knobs<S>;
}

function set(control: Control, value: unknown): void {
  if (!control.accepts(value)) {
    throw new RangeError(
      `Cannot set ${control.name} as it must be ${control.wanted}: current value is ${inspect(value)}`,
    );
  }
  control.write(value);
}

function isButton(knob: Knob): knob is ButtonKnob {
  return typeof knob === "object" && "kind" in knob && knob.kind === "button";
}

function buttonWidget(description: string, run: () => unknown): AnyWidgetModel {
  const widget = new models.Button({ description });
  widget.on("click", () => run());
  return widget as never;
}

const style = { description_width: "9em" };
const layout = { width: "26em" };

/** What a front end's control does, or a plain variable where there is none. */
function controlOf(name: string, knob: Exclude<Knob, ButtonKnob>, live: boolean): Control {
  const common = live
    ? { description: name, layout: new models.Layout(layout) as never }
    : { description: name };
  const styled = (Style: new (state: typeof style) => object): typeof common & { style: never } => ({
    ...common,
    style: new Style(style) as never,
  });
  const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
  const slider = (
    widget: object | undefined,
    value: number,
    [min, max]: [number, number],
    marks: Marks,
  ): Control =>
    control(
      name,
      widget,
      "value",
      value,
      `from ${String(min)} to ${String(max)}`,
      (given) => isNumber(given) && given >= min && given <= max,
      marks,
    );
  if (typeof knob === "boolean") {
    const widget = live ? new models.Checkbox({ ...styled(models.CheckboxStyle), value: knob }) : undefined;
    return control(name, widget, "value", knob, "true or false", (value) => typeof value === "boolean");
  }
  if (typeof knob === "string") {
    const widget = live ? new models.TextInput({ ...styled(models.TextStyle), value: knob }) : undefined;
    return control(name, widget, "value", knob, "a text", (value) => typeof value === "string");
  }
  if (typeof knob === "number") {
    const widget = live
      ? new models.FloatText({ ...styled(models.DescriptionStyle), value: knob })
      : undefined;
    return control(name, widget, "value", knob, "a finite number", isNumber);
  }
  if ("kind" in knob) {
    const { min, max } = knob;
    const value = Math.sqrt(min * max);
    const widget = live
      ? new models.FloatLogSlider({
          ...styled(models.SliderStyle),
          min: Math.log10(min),
          max: Math.log10(max),
          step: logStep,
          value,
        })
      : undefined;
    const marks: Marks = {
      same: (a, b) => Math.abs(Math.log10(a / b)) <= logStep * half,
      read: (x) => Number(x.toPrecision(3)),
    };
    return slider(widget, value, [min, max], marks);
  }
  const range = rangeOf(knob);
  if (range) {
    const [min, max, step] = range;
    if (!(min < max)) {
      throw new RangeError(`Cannot make the knob ${name} as its range must grow: [${knob.join(", ")}]`);
    }
    const whole = [min, max, step ?? 1].every(Number.isInteger);
    const value = whole ? Math.floor((min + max) / 2) : (min + max) / 2;
    const Model = whole ? models.IntSlider : models.FloatSlider;
    const distance = step ?? (whole ? 1 : (max - min) / 100);
    const widget = live
      ? new Model({
          ...styled(models.SliderStyle),
          min,
          max,
          step: distance,
          value,
          // A step that the readout rounds away looks like a slider that does not move.
          ...(whole ? {} : { readout_format: `.${decimals(distance)}f` }),
        })
      : undefined;
    const marks: Marks = {
      same: (a, b) => a === b || (!whole && Math.abs(a - b) <= distance * half),
      read: (x) => Number(x.toPrecision(6)),
    };
    return slider(widget, value, [min, max], marks);
  }
  const options = knob as readonly (string | number)[];
  if (options.length === 0)
    throw new RangeError(`Cannot make the knob ${name} as a menu must have an entry: []`);
  const widget = live
    ? dropdown({ ...styled(models.DescriptionStyle), options, value: options[0]! })
    : undefined;
  const wanted = options.map((one) => JSON.stringify(one)).join(" or ");
  return control(name, widget, "index", options[0]!, wanted, (value) => options.includes(value as string));
}

/** Digits behind the point that show one step; two at least, as Jupyter's sliders have them. */
function decimals(step: number): number {
  return Math.min(6, Math.max(2, Math.ceil(-Math.log10(step) - 1e-9)));
}

function rangeOf(knob: readonly unknown[]): readonly [number, number, number?] | undefined {
  const numbers = knob.every((one) => typeof one === "number");
  return numbers && (knob.length === 2 || knob.length === 3) ? (knob as never) : undefined;
}

/** The marks of a slider. */
interface Marks {
  /** Whether two values stand at the same mark. */
  same(a: number, b: number): boolean;
  /** A mark as it is read: without the digits that only the slider's arithmetic has put there. */
  read(value: number): number;
}

/** Distance of a log slider's marks, in powers of ten. */
const logStep = 0.01;
/** Half a step, and what round-off may add. */
const half = 0.5 + 1e-6;

function control(
  name: string,
  widget: object | undefined,
  trait: "value" | "index",
  initial: unknown,
  wanted: string,
  accepts: (value: unknown) => boolean,
  marks?: Marks,
): Control {
  const model = widget as (Widget<Record<string, unknown>> & { value: unknown }) | undefined;
  const watchers = new Set<() => void>();
  // A page moves a slider's value to the nearest mark as soon as it shows it. That is no move of a person: a value
  // between two marks stays what it is.
  let current = initial;
  model?.observe(trait, (shown) => {
    const value = trait === "value" ? shown : model.value;
    if (Object.is(value, current) || marks?.same(value as number, current as number)) return;
    current = marks ? marks.read(value as number) : value;
    for (const watcher of watchers) watcher();
  });
  return {
    name,
    widget: model as AnyWidgetModel | undefined,
    wanted,
    accepts,
    read: () => current,
    write: (value) => {
      if (Object.is(value, current)) return;
      current = value;
      if (model) model.value = value;
      for (const watcher of watchers) watcher();
    },
    watch: (changed) => {
      watchers.add(changed);
    },
  };
}

function boxOf(controls: readonly Control[], buttons: readonly AnyWidgetModel[]): models.VBox {
  const columns = controls.length > 6 ? 2 : 1;
  const height = Math.ceil(controls.length / columns);
  const lists = Array.from({ length: columns }, (_, c) =>
    controls.slice(c * height, (c + 1) * height).flatMap(({ widget }) => (widget ? [widget] : [])),
  );
  const stacks = lists.map((children) => new models.VBox({ children }) as never as AnyWidgetModel);
  const grid = columns === 1 ? stacks : [new models.HBox({ children: stacks }) as never as AnyWidgetModel];
  const row = buttons.length === 0 ? [] : [new models.HBox({ children: buttons }) as never as AnyWidgetModel];
  return new models.VBox({ children: [...row, ...grid] });
}

function table(controls: readonly Control[]): string {
  const rows = controls.map(
    ({ name, read, wanted }) =>
      `<tr><th scope="row" style="text-align:left">${escapeHtml(name)}</th>` +
      `<td>${escapeHtml(String(read()))}</td><td style="text-align:left">${escapeHtml(wanted)}</td></tr>`,
  );
  return `<table><caption>${without}</caption><thead><tr><th>knob</th><th>value</th><th>may be</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}
