import type { JsonObject } from "./message.js";

/** How notebooks name the kernel. */
export const kernelSpec = {
  name: "turnwise",
  display_name: "TypeScript (turnwise)",
  language: "typescript",
} as const;

/** What Jupyter writes into a notebook of the kernel's language, which has this version. */
export const languageInfo = (typescript: string): JsonObject => ({
  name: "typescript",
  version: typescript,
  mimetype: "text/typescript",
  file_extension: ".ts",
  pygments_lexer: "typescript",
  codemirror_mode: { name: "javascript", typescript: true },
  nbconvert_exporter: "script",
});
