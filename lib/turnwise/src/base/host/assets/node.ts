import fs from "node:fs/promises";
import path from "node:path";
import type { Asset } from "./asset";

/** Whether pictures have the fonts and the renderer at hand. */
export const hasAssets = (): boolean => true;

/** The bytes of a file that comes with the library or one of its packages. */
export function asset(name: Asset): Promise<Uint8Array> {
  return fs.readFile(fileOf(name));
}

/** Path of a font, for a writer that opens it itself. */
export function fileOf(name: Asset): string {
  if (name === "resvg.wasm") return require.resolve("@resvg/resvg-wasm/index_bg.wasm");
  return path.join(__dirname, "..", "..", "..", "..", "vendor", "fonts", name);
}
