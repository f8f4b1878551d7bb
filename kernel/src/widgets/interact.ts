import { display } from "../display/api.js";
import { capture, forgetOutputs } from "./capture.js";
import * as models from "./generated.js";
import { widgetHost } from "./host.js";
import { dropdown } from "./selection.js";
import { Widget, type AnyWidgetModel } from "./widget.js";

type Observable = AnyWidgetModel & { value: unknown };

/** Values that `interact` can make a control of, or a widget with a `value`. */
export type Control = number | boolean | string | readonly unknown[] | object;

/**
 * Shows one control per argument, and calls the function with all values at every change.
 *
 * A number n becomes a slider from -n to 3n, `[from, to]` and `[from, to, step]` a slider over that range, a boolean a
 * checkbox, a string a text field, a longer list or one of strings a menu; a widget stays what it is.
 */
export function interact(
  run: (values: Record<string, never>) => unknown,
  controls: Readonly<Record<string, Control>>,
): WidgetBox {
  const widgets = Object.entries(controls).map(([name, control]): [string, Observable] => [
    name,
    toWidget(name, control),
  ]);
  const output = new models.Output();
  const update = (): void => {
    forgetOutputs(output);
    capture(output, () => {
      try {
        const shown = run(Object.fromEntries(widgets.map(([name, widget]) => [name, widget.value])) as never);
        if (shown !== undefined) display(shown);
      } catch (error) {
        // The error appears where the person looks, and the controls stay usable.
        widgetHost().report(error);
      }
    });
  };
  for (const [, widget] of widgets) {
    const trait = "index" in widget ? "index" : "value";
    (widget as unknown as Widget<Record<string, unknown>>).observe(trait, update);
  }
  const box = new models.VBox({ children: [...widgets.map(([, widget]) => widget), output as never] });
  display(box);
  update();
  return box as unknown as WidgetBox;
}

/** The box that `interact` has shown. */
export type WidgetBox = models.VBox;

/** Keeps a trait of two widgets equal, in both directions; returns a function that unlinks them. */
export function link<A extends object, B extends object>(
  a: Widget<A>,
  traitA: keyof A,
  b: Widget<B>,
  traitB: keyof B,
): () => void {
  b.set({ [traitB]: a.get(traitA) } as unknown as Partial<B>);
  const ends = [
    a.observe(traitA, (value) => b.set({ [traitB]: value } as unknown as Partial<B>)),
    b.observe(traitB, (value) => a.set({ [traitA]: value } as unknown as Partial<A>)),
  ];
  return () => ends.forEach((end) => end());
}

function toWidget(description: string, control: Control): Observable {
  if (control instanceof Widget) return control as unknown as Observable;
  if (typeof control === "boolean") return new models.Checkbox({ description, value: control }) as never;
  if (typeof control === "string") return new models.TextInput({ description, value: control }) as never;
  if (typeof control === "number") {
    const bounds = control === 0 ? [0, 1] : control > 0 ? [-control, 3 * control] : [3 * control, -control];
    return slider(description, bounds[0]!, bounds[1]!, undefined, control);
  }
  if (Array.isArray(control)) {
    const numbers = control.every((one) => typeof one === "number") ? (control as number[]) : undefined;
    if (numbers && (numbers.length === 2 || numbers.length === 3)) {
      return slider(description, numbers[0]!, numbers[1]!, numbers[2]);
    }
    return dropdown({ options: control as unknown[], description }) as never;
  }
  return dropdown({ options: control as Record<string, unknown>, description }) as never;
}

function slider(description: string, min: number, max: number, step?: number, start?: number): Observable {
  if (!(min < max))
    throw new RangeError(`Cannot make a slider: its range must increase, got [${min}, ${max}].`);
  const whole = [min, max, step ?? 1, start ?? 0].every(Number.isInteger);
  const value = start ?? (whole ? Math.floor((min + max) / 2) : (min + max) / 2);
  const Model = whole ? models.IntSlider : models.FloatSlider;
  return new Model({ description, min, max, value, step: step ?? (whole ? 1 : (max - min) / 100) }) as never;
}
