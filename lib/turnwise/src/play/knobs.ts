/**
 * Key by which a library asks the kernel for controls without importing it: a function under
 * `Symbol.for("turnwise.knobs")` of the global object, set by turnwise's kernel. Other kernels have none, and a program
 * runs without.
 */
export const knobsSymbol: unique symbol = Symbol.for("turnwise.knobs") as never;

/** Look of a button; omitted parts keep their first value. */
export interface ButtonLook {
  readonly label?: string;
  readonly tooltip?: string;
  /** Whether it stands out, as something waits for it. */
  readonly marked?: boolean;
}

/** `[min, max]` a slider (over whole numbers if both are), `[min, max, step]` one with steps, a log range a slider over powers, texts a menu, a button's function runs at a click. */
export type Knob =
  | readonly [min: number, max: number]
  | readonly [min: number, max: number, step: number]
  | readonly string[]
  | { readonly kind: "log"; readonly min: number; readonly max: number }
  | {
      readonly kind: "button";
      readonly run: () => unknown;
      readonly look?: ButtonLook;
      readonly follow?: (change: (look: ButtonLook) => void) => void;
    };

export type KnobValues = Record<string, number | string>;

/** The controls on the page; setting a property moves the control of that name. */
export interface KnobPanel {
  values(): KnobValues;
  onChange(listener: (values: KnobValues, changed: string) => void): () => void;
  [name: string]: unknown;
}

/**
 * Shows controls in a column, and beside it objects that display themselves; `stored` stands in their place where the kernel is
 * gone.
 */
export type MakeKnobs = (
  spec: Readonly<Record<string, Knob>>,
  o: { readonly start?: KnobValues; readonly beside?: readonly object[]; readonly stored?: object },
) => KnobPanel;

/** The kernel's function, where there is one. */
export function findKnobs(): MakeKnobs | undefined {
  const found = (globalThis as { [knobsSymbol]?: unknown })[knobsSymbol];
  return typeof found === "function" ? (found as MakeKnobs) : undefined;
}
