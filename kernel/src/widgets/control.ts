import type { AnyWidgetModel, Widget } from "./widget.js";

/** One control and its value, which it keeps even if no front end shows it. */
export interface Control {
  readonly name: string;
  readonly widget: AnyWidgetModel | undefined;
  /** Completes "must be ...". */
  readonly wanted: string;
  accepts(value: unknown): boolean;
  read(): unknown;
  write(value: unknown): void;
  watch(changed: () => void): void;
}

/** The marks of a slider. */
export interface Marks {
  /** Whether two values stand at the same mark. */
  same(a: number, b: number): boolean;
  /** A mark as a person reads it, without the digits that only the slider's arithmetic has added. */
  read(value: number): number;
}

/** A control over a widget's trait, or over a plain variable where there is no widget. */
export function control(
  name: string,
  widget: object | undefined,
  trait: "value" | "index",
  initial: unknown,
  wanted: string,
  accepts: (value: unknown) => boolean,
  marks?: Marks,
): Control {
  const model = widget as (Widget<Record<string, unknown>> & { value: unknown }) | undefined;
  const watchers = new Set<() => void>();
  // A page moves a slider's value to the nearest mark as soon as it shows it. No person moved it, so a value
  // between two marks stays as it is.
  let current = initial;
  model?.observe(trait, (shown) => {
    const value = trait === "value" ? shown : model.value;
    if (Object.is(value, current) || marks?.same(value as number, current as number)) return;
    current = marks ? marks.read(value as number) : value;
    for (const watcher of watchers) watcher();
  });
  return {
    name,
    widget: model as AnyWidgetModel | undefined,
    wanted,
    accepts,
    read: () => current,
    write: (value) => {
      if (Object.is(value, current)) return;
      current = value;
      if (model) model.value = value;
      for (const watcher of watchers) watcher();
    },
    watch: (changed) => {
      watchers.add(changed);
    },
  };
}
