// What a page and its worker of cells agree on: where an interrupt lies in the memory that they share.

/** Behind the numbers of session/state.ts: the page's number of the cell that an interrupt is for. */
export const meantSlot = 10;
export const flagBytes = 64;
