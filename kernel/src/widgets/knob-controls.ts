import { control, type Control, type Marks } from "./control.js";
import * as models from "./generated.js";
import type { ButtonKnob, Knob, LogRange } from "./knob.js";
import { dropdown } from "./selection.js";

/** Distance of a log slider's marks, in powers of ten. */
const logStep = 0.01;
/** Half a step, and what round-off may add. */
const half = 0.5 + 1e-6;

/** The look of a control in a front end, with its name in front. */
function look<S>(
  name: string,
  Style: new (state: { description_width: string }) => S,
): { description: string; layout: never; style: never } {
  return {
    description: name,
    layout: new models.Layout({ width: "26em" }) as never,
    style: new Style({ description_width: "9em" }) as never,
  };
}

/** The control of a knob: a widget where there is a front end, or else a plain variable. */
export function controlOf(name: string, knob: Exclude<Knob, ButtonKnob>, live: boolean): Control {
  switch (typeof knob) {
    case "boolean":
      return checkbox(name, knob, live);
    case "string":
      return textField(name, knob, live);
    case "number":
      return numberField(name, knob, live);
  }
  if ("kind" in knob) return logSlider(name, knob, live);
  const range = rangeOf(knob);
  return range ? slider(name, range, live) : menu(name, knob as readonly (string | number)[], live);
}

function checkbox(name: string, value: boolean, live: boolean): Control {
  const widget = live ? new models.Checkbox({ ...look(name, models.CheckboxStyle), value }) : undefined;
  return control(name, widget, "value", value, "true or false", (given) => typeof given === "boolean");
}

function textField(name: string, value: string, live: boolean): Control {
  const widget = live ? new models.TextInput({ ...look(name, models.TextStyle), value }) : undefined;
  return control(name, widget, "value", value, "a string", (given) => typeof given === "string");
}

function numberField(name: string, value: number, live: boolean): Control {
  const widget = live ? new models.FloatText({ ...look(name, models.DescriptionStyle), value }) : undefined;
  return control(name, widget, "value", value, "a finite number", isNumber);
}

function logSlider(name: string, { min, max }: LogRange, live: boolean): Control {
  const value = Math.sqrt(min * max);
  const widget = live
    ? new models.FloatLogSlider({
        ...look(name, models.SliderStyle),
        min: Math.log10(min),
        max: Math.log10(max),
        step: logStep,
        value,
      })
    : undefined;
  return between(name, widget, value, [min, max], {
    same: (a, b) => Math.abs(Math.log10(a / b)) <= logStep * half,
    read: (x) => Number(x.toPrecision(3)),
  });
}

function slider(name: string, range: readonly [number, number, number?], live: boolean): Control {
  const [min, max, step] = range;
  if (!(min < max)) {
    throw new RangeError(`Cannot make the knob ${name}: its range must increase, got [${range.join(", ")}].`);
  }
  const whole = [min, max, step ?? 1].every(Number.isInteger);
  const value = whole ? Math.floor((min + max) / 2) : (min + max) / 2;
  const Model = whole ? models.IntSlider : models.FloatSlider;
  const distance = step ?? (whole ? 1 : (max - min) / 100);
  const widget = live
    ? new Model({
        ...look(name, models.SliderStyle),
        min,
        max,
        step: distance,
        value,
        // A step that the readout rounds away looks like a slider that does not move.
        ...(whole ? {} : { readout_format: `.${decimals(distance)}f` }),
      })
    : undefined;
  return between(name, widget, value, [min, max], {
    same: (a, b) => a === b || (!whole && Math.abs(a - b) <= distance * half),
    read: (x) => Number(x.toPrecision(6)),
  });
}

function menu(name: string, options: readonly (string | number)[], live: boolean): Control {
  const [first] = options;
  if (first === undefined) {
    throw new RangeError(`Cannot make the knob ${name}: a menu must have an entry, got [].`);
  }
  const widget = live
    ? dropdown({ ...look(name, models.DescriptionStyle), options, value: first })
    : undefined;
  const wanted = options.map((one) => JSON.stringify(one)).join(" or ");
  return control(name, widget, "index", first, wanted, (given) => options.includes(given as string));
}

function between(
  name: string,
  widget: object | undefined,
  value: number,
  [min, max]: [number, number],
  marks: Marks,
): Control {
  const accepts = (given: unknown): boolean => isNumber(given) && given >= min && given <= max;
  return control(name, widget, "value", value, `from ${String(min)} to ${String(max)}`, accepts, marks);
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** The number of decimals that shows one step; at least two, as in Jupyter's sliders. */
function decimals(step: number): number {
  return Math.min(6, Math.max(2, Math.ceil(-Math.log10(step) - 1e-9)));
}

function rangeOf(knob: readonly unknown[]): readonly [number, number, number?] | undefined {
  const numbers = knob.every((one) => typeof one === "number");
  return numbers && (knob.length === 2 || knob.length === 3) ? (knob as never) : undefined;
}
