/** The name under which a cell's marks reach the session, in a file of its own so that the session loads no TypeScript. */
export const runtimeName = "__tw";
