import path from "node:path";

/** The checkout; this file runs as build/test/support/paths.js. */
export const root: string = path.resolve(__dirname, "..", "..", "..");
