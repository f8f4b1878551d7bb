// What a page and its worker of cells agree on: where an interrupt and the answer to `prompt` lie in the memory that they share.

/** Behind the numbers of session/state.ts: the page's number of the cell that an interrupt is for. */
export const meantSlot = 8;
export const flagBytes = 64;

/** The answers of a person: a count of them, and the length of the last in bytes; its text begins at `answerOffset`. */
export const answerSlot = { count: 0, length: 1 } as const;
export const answerOffset = 8;
export const answerBytes = 65_536;
