/** A setting that is there and whose value cannot be told from the text. */
export interface Unresolved {
  /** Its name, or what replaces one, such as `**kwargs`. */
  readonly name: string;
  /** Text form. */
  readonly text?: string;
  /** Line, from 1. */
  readonly line?: number;
}
