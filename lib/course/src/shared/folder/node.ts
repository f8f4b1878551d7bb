import path from "node:path";

/** The folder of this package. */
export const packageFolder = path.join(__dirname, "..", "..", "..");
