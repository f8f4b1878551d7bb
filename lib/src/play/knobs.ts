/**
 * How a library asks the kernel for controls without importing it: a function under `Symbol.for("turnwise.knobs")` of
 * the global object, set by turnwise's kernel. Other kernels have none, and a program runs without.
 */
export const knobsSymbol: unique symbol = Symbol.for("turnwise.knobs") as never;

/** `[min, max]` a slider (over whole numbers if both are), `[min, max, step]` one with steps, a log range a slider over powers, texts a menu, a button's function runs at a click. */
export type Knob =
  | readonly [min: number, max: number]
  | readonly [min: number, max: number, step: number]
  | readonly string[]
  | { readonly kind: "log"; readonly min: number; readonly max: number }
  | { readonly kind: "button"; readonly run: () => unknown };

export type KnobValues = Record<string, number | string>;

/** The controls on the page; setting a property moves the control of that name. */
export interface KnobPanel {
  values(): KnobValues;
  onChange(listener: (values: KnobValues, changed: string) => void): () => void;
  [name: string]: unknown;
}

/** Shows controls, and below them objects that display themselves. */
export type MakeKnobs = (
  spec: Readonly<Record<string, Knob>>,
  o: { readonly start?: KnobValues; readonly below?: readonly object[] },
) => KnobPanel;

/** The kernel's function, where there is one. */
export function findKnobs(): MakeKnobs | undefined {
  const found = (globalThis as { [knobsSymbol]?: unknown })[knobsSymbol];
  return typeof found === "function" ? (found as MakeKnobs) : undefined;
}
