/** Media type to content, as Jupyter's `display_data` carries it. */
export type MimeBundle = Readonly<Record<string, unknown>>;

/** The method that a notebook kernel calls to get an object's media types. */
export const displaySymbol: unique symbol = Symbol.for("Jupyter.display") as never;

/** The method by which a kernel subscribes to an object whose display changes: `(notify) => unsubscribe`. */
export const liveSymbol: unique symbol = Symbol.for("turnwise.live") as never;
