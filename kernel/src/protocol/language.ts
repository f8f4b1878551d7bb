import type { JsonObject } from "./message.js";

/** Name of the kernel in notebooks. */
export const kernelSpec = {
  name: "turnwise",
  display_name: "TypeScript (turnwise)",
  language: "typescript",
} as const;

/** Language information of notebooks of plain JavaScript. */
export const javascriptInfo = (engine: string): JsonObject => ({
  name: "javascript",
  version: engine,
  mimetype: "application/javascript",
  file_extension: ".js",
  pygments_lexer: "javascript",
  codemirror_mode: { name: "javascript" },
  nbconvert_exporter: "script",
});

/** Language information that Jupyter writes into a notebook of this version. */
export const languageInfo = (typescript: string): JsonObject => ({
  name: "typescript",
  version: typescript,
  mimetype: "text/typescript",
  file_extension: ".ts",
  pygments_lexer: "typescript",
  codemirror_mode: { name: "javascript", typescript: true },
  nbconvert_exporter: "script",
});
