import { framework } from "../framework";

/** Records of this library: the names of the glossary themselves. */
export const turnwise = framework({ title: "turnwise", step: ["update"], nested: "metrics", metrics: {} });
