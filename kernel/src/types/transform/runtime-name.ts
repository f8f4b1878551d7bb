/** The name under which a cell's marks reach the session; apart, so that the session loads no TypeScript for it. */
export const runtimeName = "__tw";
