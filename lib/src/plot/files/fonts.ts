import fs from "node:fs";
import path from "node:path";

/** The one family of saved images: text must look the same on a machine without any fonts. */
export const family = "DejaVu Sans";

const folder = path.join(__dirname, "..", "..", "..", "vendor", "fonts");

/** The files of the family. */
export const fontFiles = {
  regular: path.join(folder, "DejaVuSans.ttf"),
  bold: path.join(folder, "DejaVuSans-Bold.ttf"),
} as const;

/** The fonts as bytes. */
export function fontBytes(): Uint8Array[] {
  return Object.values(fontFiles).map((file) => fs.readFileSync(file));
}
