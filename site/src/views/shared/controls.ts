import { h, type ComponentChild } from "preact";

interface SliderWords {
  /** Writes a value. */
  readonly words?: (value: number) => string;
  /** Unit of the number. */
  readonly unit?: string | undefined;
}

/** A label, with its unit below in small. */
export const labelWith = (label: string, unit: string | undefined): ComponentChild =>
  h("span", null, [label, unit !== undefined && h("small", { class: "soft" }, unit)]);

/** A slider over a list of values, whose places are the list's: it reads a value aloud, not its place. */
export function slider(
  label: string,
  values: readonly number[],
  value: number,
  choose: (value: number) => void,
  { words = String, unit }: SliderWords = {},
): ComponentChild {
  return h("label", { class: "knob" }, [
    labelWith(label, unit),
    h("input", {
      type: "range",
      min: 0,
      max: values.length - 1,
      step: 1,
      value: values.indexOf(value),
      "aria-valuetext": words(value),
      onInput: (event: Event) => choose(values[Number((event.currentTarget as HTMLInputElement).value)]!),
    }),
    h("output", null, words(value)),
  ]);
}

export function toggle(label: string, isOn: boolean, choose: (isOn: boolean) => void): ComponentChild {
  return h("label", { class: "knob" }, [
    h("span", null, label),
    h("input", {
      type: "checkbox",
      role: "switch",
      checked: isOn,
      onChange: (event: Event) => choose((event.currentTarget as HTMLInputElement).checked),
    }),
  ]);
}
