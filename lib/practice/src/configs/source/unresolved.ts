/** A setting that is there and whose value cannot be told from the text. */
export interface Unresolved {
  /** Its name, or what stands in the place of one, such as `**kwargs`. */
  readonly name: string;
  /** How it is written. */
  readonly text?: string;
  /** Where, from 1. */
  readonly line?: number;
}
