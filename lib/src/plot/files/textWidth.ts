import fs from "node:fs";
import { fontFiles } from "./fonts";

/** The advance of each character in parts of the font's size, as the tables of a TrueType file tell it. */
class Advances {
  readonly #advances = new Map<number, number>();

  constructor(file: string) {
    const font = fs.readFileSync(file);
    const table = (tag: string): Buffer => {
      for (let at = 12; at < 12 + 16 * font.readUInt16BE(4); at += 16) {
        if (font.toString("latin1", at, at + 4) === tag) return font.subarray(font.readUInt32BE(at + 8));
      }
      throw new RangeError(`Cannot read ${file} as it must have the table ${tag}: it has none`);
    };
    const unitsPerEm = table("head").readUInt16BE(18);
    const last = table("hhea").readUInt16BE(34) - 1;
    const metrics = table("hmtx");
    for (const [code, glyph] of glyphs(table("cmap"))) {
      this.#advances.set(code, metrics.readUInt16BE(4 * Math.min(glyph, last)) / unitsPerEm);
    }
  }

  of(text: string): number {
    let sum = 0;
    // A character that the font lacks is drawn as a box of about this width.
    for (const character of text) sum += this.#advances.get(character.codePointAt(0)!) ?? 0.6;
    return sum;
  }
}

/** Characters of the basic plane with their glyphs: a table of format 4. */
function* glyphs(cmap: Buffer): Generator<readonly [code: number, glyph: number]> {
  let map: Buffer | undefined;
  for (let i = 0; i < cmap.readUInt16BE(2); i++) {
    const found = cmap.subarray(cmap.readUInt32BE(8 + 8 * i));
    if (found.readUInt16BE(0) === 4) map = found;
  }
  if (!map) return;
  const size = map.readUInt16BE(6);
  for (let s = 0; s < size; s += 2) {
    const end = map.readUInt16BE(14 + s);
    const start = map.readUInt16BE(16 + size + s);
    const delta = map.readUInt16BE(16 + 2 * size + s);
    const rangeAt = 16 + 3 * size + s;
    const range = map.readUInt16BE(rangeAt);
    for (let code = start; code <= end && code !== 0xffff; code++) {
      const glyph = range === 0 ? code : map.readUInt16BE(rangeAt + range + 2 * (code - start));
      if (glyph !== 0) yield [code, (glyph + delta) & 0xffff];
    }
  }
}

let fonts: { readonly regular: Advances; readonly bold: Advances } | undefined;

/** How wide a text is in the fonts of saved images, in the unit of its size. */
export function textWidth(text: string, fontSize: number, bold: boolean): number {
  fonts ??= { regular: new Advances(fontFiles.regular), bold: new Advances(fontFiles.bold) };
  return fontSize * (bold ? fonts.bold : fonts.regular).of(text);
}
