/** A logarithmic slider: equal distances multiply by equal factors. */
export interface LogRange {
  readonly kind: "log";
  readonly min: number;
  readonly max: number;
}

/** Look of a button; omitted parts keep their first value. */
export interface ButtonLook {
  /** Default: the knob's name. */
  readonly label?: string;
  readonly tooltip?: string;
  /** Whether it stands out, as something waits for it. */
  readonly marked?: boolean;
  readonly disabled?: boolean;
}

/** A button; its knob has no value. */
export interface ButtonKnob {
  readonly kind: "button";
  readonly run: () => unknown;
  readonly look?: ButtonLook;
  /** Is handed a function that changes how the button looks. */
  readonly follow?: (change: (look: ButtonLook) => void) => void;
}

/**
 * Specification of one knob: `[min, max]` or `[min, max, step]` a slider, `log(min, max)` a slider over powers, a list
 * of strings (or of more than three numbers) a menu, a boolean a checkbox, a number or a string a field, `button(run)`
 * a button.
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

/** The values of all knobs except buttons. */
export type KnobValues<S> = {
  -readonly [N in keyof S as S[N] extends ButtonKnob ? never : N]: KnobValue<S[N]>;
};

/** A slider over powers of ten from `min` to `max`, both above 0. */
export function log(min: number, max: number): LogRange {
  if (!(min > 0 && max > min && max < Infinity)) {
    throw new RangeError(
      `Cannot make a log range: its ends must be above 0 and increase, got ${String(min)} and ${String(max)}.`,
    );
  }
  return { kind: "log", min, max };
}

/** A button that calls a function. */
export function button(run: () => unknown): ButtonKnob {
  return { kind: "button", run };
}

/** Whether a knob is a button. */
export function isButton(knob: Knob): knob is ButtonKnob {
  return typeof knob === "object" && "kind" in knob && knob.kind === "button";
}
