import { h, type ComponentChild } from "preact";

/** A slider over a list of values, whose places are the list's: it reads a value aloud, not its place. `words` writes a value. */
export function slider(
  label: string,
  values: readonly number[],
  value: number,
  choose: (value: number) => void,
  words: (value: number) => string = String,
): ComponentChild {
  return h("label", { class: "knob" }, [
    h("span", null, label),
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
