import { inspect } from "node:util";
import { display } from "../display/api.js";
import { displaySymbol } from "../display/bundle.js";
import type { MimeBundle } from "../protocol/message.js";
import { escapeHtml } from "../display/html.js";
import type { Control } from "./control.js";
import * as models from "./generated.js";
import { hasWidgetHost } from "./host.js";
import { controlOf } from "./knob-controls.js";
import { isButton, type ButtonKnob, type ButtonLook, type Knob, type KnobValues } from "./knob.js";
import { panelOf, storedView } from "./knob-panel.js";
import type { AnyWidgetModel } from "./widget.js";

export interface KnobsOptions<S> {
  /** Initial values. Default: the middle of a slider, the first entry of a menu. */
  readonly start?: Partial<KnobValues<S>>;
  /** Shown below the knobs, such as a live chart. */
  readonly below?: readonly object[];
  /**
   * Shown to the right of the knobs, which then stand in one narrow column: objects that display themselves as HTML, drawn
   * again when they change.
   */
  readonly beside?: readonly object[];
  /** Shown in place of the knobs where their kernel is gone, as in a notebook that was saved and opened again. */
  readonly stored?: object;
}

/** Result of `knobs`: the values, which follow the controls. */
export type Knobs<S> = KnobValues<S> & {
  /** Calls a function with all values and the name of the one that changed; returns a function that unsubscribes. */
  onChange(listener: (values: KnobValues<S>, changed: keyof KnobValues<S>) => void): () => void;
  /** A copy of all values. */
  values(): KnobValues<S>;
  /** Shows the controls again. */
  show(): void;
};

const reserved = ["onChange", "values", "show"];
const without =
  "These knobs can be moved where JupyterLab's widget manager runs; here they stand at their values.";

/**
 * Shows labeled controls and returns their values as one typed object: reading a property gives the current value, setting
 * it moves the control. Values also change while an awaited loop runs.
 *
 * Without a widget manager a table takes the place of the controls; without a kernel session nothing is shown.
 *
 * @throws {RangeError} if a range does not increase, a menu is empty, a name is reserved, or a value is outside its knob
 *
 * @example
 * const k = knobs({ learningRate: log(1e-3, 1), width: [0.1, 0.5], shape: ["square", "circle"] });
 * k.onChange(({ learningRate }) => console.log(learningRate));
 */
export function knobs<const S extends Readonly<Record<string, Knob>>>(
  spec: S,
  { start = {}, below = [], beside = [], stored }: KnobsOptions<S> = {},
): Knobs<S> {
  const clash = reserved.find((name) => name in spec);
  if (clash !== undefined) {
    throw new RangeError(
      `Cannot make knobs: their names must not be ${reserved.join(", ")}, got ${JSON.stringify(clash)}.`,
    );
  }
  const live = hasWidgetHost();
  const buttons: AnyWidgetModel[] = [];
  const controls: Control[] = [];
  for (const [name, knob] of Object.entries(spec)) {
    if (isButton(knob)) {
      if (live) buttons.push(buttonWidget(name, knob));
    } else controls.push(controlOf(name, knob, live));
  }
  const unknown = Object.keys(start).find((name) => !controls.some((control) => control.name === name));
  if (unknown !== undefined) {
    throw new RangeError(
      `Cannot start knobs: each value must belong to a knob, got one for ${JSON.stringify(unknown)}.`,
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
  const view = live
    ? beside.length > 0
      ? panelOf(controls, buttons, beside)
      : boxOf(controls, buttons)
    : undefined;
  const text = (): string =>
    controls.map(({ name, read: value }) => `${name}: ${inspect(value())}`).join(", ");
  const bundle = (): MimeBundle => ({
    ...view?.[displaySymbol](),
    "text/html": stored ? "<div></div>" : table(controls),
    "text/plain": text(),
  });
  const show = (): void => {
    if (!live) return;
    display(bundle(), { raw: true });
    if (stored && view) display(storedView(stored, view.modelId));
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
    // The controls are already on the page: a cell that ends with them shows their values.
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
    throw new RangeError(`Cannot set ${control.name}: it must be ${control.wanted}, got ${inspect(value)}.`);
  }
  control.write(value);
}

function buttonWidget(name: string, { run, look = {}, follow }: ButtonKnob): AnyWidgetModel {
  const state = (now: ButtonLook): Partial<models.ButtonState> => ({
    description: now.label ?? look.label ?? name,
    tooltip: now.tooltip ?? look.tooltip ?? null,
    button_style: (now.marked ?? look.marked) ? "warning" : "",
    disabled: now.disabled ?? look.disabled ?? false,
  });
  const widget = new models.Button(state(look));
  widget.on("click", () => run());
  follow?.((now) => widget.set(state(now)));
  return widget as never;
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
