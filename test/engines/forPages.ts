import path from "node:path";
import { buildSync } from "esbuild";

/** A script for pages that sets `engine` to what `digests.ts` exports, made as any bundler makes one of the library. */
export function scriptForPages(): string {
  const { outputFiles } = buildSync({
    entryPoints: [path.join(__dirname, "digests.js")],
    bundle: true,
    format: "iife",
    globalName: "engine",
    platform: "browser",
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]!.text;
}
