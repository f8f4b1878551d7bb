/** Any text, in a union with words that an editor then offers: `WorldId | AnyText`. */
export type AnyText = string & Record<never, never>;
