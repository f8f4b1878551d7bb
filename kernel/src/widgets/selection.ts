import * as models from "./generated.js";
import type { WidgetOf } from "./widget.js";

/** The options of a selection: values, `[label, value]` pairs, or values by label. */
export type Options<T> = readonly T[] | readonly (readonly [string, T])[] | Readonly<Record<string, T>>;

/** A selection widget: `options` and `value` instead of labels and an index. */
export type Selection<S extends object, T> = WidgetOf<S> & { options: Options<T>; value: T | null };

interface Base {
  _options_labels: readonly string[];
  index: unknown;
}

function pairs<T>(options: Options<T>): [string, T][] {
  if (!Array.isArray(options)) return Object.entries(options as Record<string, T>);
  return (options as readonly unknown[]).map((one) =>
    Array.isArray(one) && one.length === 2 && typeof one[0] === "string"
      ? (one as [string, T])
      : [String(one), one as T],
  );
}

/** Makes the function that creates one kind of selection widget. */
function selection<S extends Base>(Model: new (state?: Partial<S>) => WidgetOf<S>) {
  return function make<T>(
    o: Omit<Partial<S>, "_options_labels" | "index"> & { options: Options<T>; value?: T },
  ): Selection<S, T> {
    const { options, value, ...state } = o;
    let choices = pairs(options);
    const indexOf = (wanted: T | null | undefined): number | null => {
      const at = choices.findIndex(([, one]) => Object.is(one, wanted));
      if (at >= 0) return at;
      if (wanted === undefined) return choices.length > 0 ? 0 : null;
      if (wanted === null) return null;
      throw new RangeError(`Cannot select a value: it must be one of the options, got ${String(wanted)}.`);
    };
    const labels = (): readonly string[] => choices.map(([label]) => label);
    const widget = new Model({
      ...state,
      _options_labels: labels(),
      index: indexOf(value),
    } as unknown as Partial<S>);
    Object.defineProperties(widget, {
      options: {
        get: () => choices.map(([, one]) => one),
        set: (next: Options<T>) => {
          choices = pairs(next);
          widget.set({ _options_labels: labels(), index: indexOf(undefined) } as unknown as Partial<S>);
        },
      },
      value: {
        get: () => {
          const index = widget.get("index") as number | null;
          return index === null ? null : (choices[index]?.[1] ?? null);
        },
        set: (next: T | null) => widget.set({ index: indexOf(next) } as unknown as Partial<S>),
      },
    });
    return widget as Selection<S, T>;
  };
}

/** A menu. */
export const dropdown = selection<models.DropdownState>(models.Dropdown);
/** A list from which one entry is chosen. */
export const select = selection<models.SelectState>(models.Select);
/** Radio buttons. */
export const radioButtons = selection<models.RadioButtonsState>(models.RadioButtons);
/** A row of buttons, one of which is pressed. */
export const toggleButtons = selection<models.ToggleButtonsState>(models.ToggleButtons);
/** A slider over the options. */
export const selectionSlider = selection<models.SelectionSliderState>(models.SelectionSlider);
