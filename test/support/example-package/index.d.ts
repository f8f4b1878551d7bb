/** The names of the shapes. */
export type ShapeName = "triangle" | "square";
/** Resolves to a number. */
export interface Measurement<T> extends PromiseLike<T> {
  readonly started: true;
}
export interface DrawOptions {
  readonly line?: { readonly strokeWidth?: number };
}
/** Measures a shape: `await measureShape("square")`. */
export declare function measureShape(shape: ShapeName): Measurement<number[]>;
/** Draws a shape. */
export declare function draw(shape: ShapeName, options?: DrawOptions): string;
