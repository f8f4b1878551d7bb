// What a page and its worker of cells agree on: the memory that they share, which holds the numbers of session/state.ts.

export const flagBytes = 64;
