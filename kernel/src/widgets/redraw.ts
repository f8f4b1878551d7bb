import { display } from "../display/api.js";
import * as models from "./generated.js";
import { widgetHost } from "./host.js";
import type { WidgetBox } from "./interact.js";
import type { AnyWidgetModel, Widget } from "./widget.js";

/** The values of named controls. */
export type ControlValues<C> = {
  -readonly [N in keyof C]: C[N] extends { readonly value: infer V } ? V : unknown;
};

/**
 * Displays what a function makes of the controls' values, and redraws it in place whenever a control is moved.
 *
 * Unlike the output of `interact`, the drawing is an output of the cell itself, so a saved notebook shows it without a kernel and
 * without a widget manager. An error of the function is reported and leaves the last drawing and the controls as they are.
 *
 * @returns the box of controls: as the last expression of a cell it stands below the drawing
 *
 * @example
 * const dials = { rate: new widgets.FloatSlider({ description: "rate", value: 0.1 }) };
 * widgets.redraw(dials, ({ rate }) => lineChart(...));
 */
export function redraw<const C extends Readonly<Record<string, object>>>(
  controls: C,
  draw: (values: ControlValues<C>) => unknown,
): WidgetBox {
  const named = Object.entries(controls) as unknown as [string, AnyWidgetModel & { value: unknown }][];
  const drawn = (): unknown =>
    draw(Object.fromEntries(named.map(([name, control]) => [name, control.value])) as ControlValues<C>);
  const id = display(drawn());
  const again = (): void => {
    try {
      display(drawn(), { id, update: true });
    } catch (error) {
      widgetHost().report(error);
    }
  };
  for (const [, control] of named) {
    const trait = "index" in control ? "index" : "value";
    (control as unknown as Widget<Record<string, unknown>>).observe(trait, again);
  }
  return new models.VBox({ children: named.map(([, control]) => control) }) as unknown as WidgetBox;
}
