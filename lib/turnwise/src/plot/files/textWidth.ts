import { asset } from "#assets";
import { fontFiles } from "./fonts";

/** A part of a font's file; its numbers have the high byte first. */
class Table {
  readonly #view: DataView;

  constructor(readonly bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  short(at: number): number {
    return this.#view.getUint16(at);
  }

  long(at: number): number {
    return this.#view.getUint32(at);
  }

  from(at: number): Table {
    return new Table(this.bytes.subarray(at));
  }
}

/** The advance of each character in parts of the font's size, as the tables of a TrueType file tell it. */
class Advances {
  readonly #advances = new Map<number, number>();

  constructor(file: string, bytes: Uint8Array) {
    const font = new Table(bytes);
    const table = (tag: string): Table => {
      for (let at = 12; at < 12 + 16 * font.short(4); at += 16) {
        if (String.fromCharCode(...bytes.subarray(at, at + 4)) === tag) return font.from(font.long(at + 8));
      }
      throw new RangeError(`Cannot read ${file}: it must have the table ${tag}.`);
    };
    const unitsPerEm = table("head").short(18);
    const last = table("hhea").short(34) - 1;
    const metrics = table("hmtx");
    for (const [code, glyph] of glyphs(table("cmap"))) {
      this.#advances.set(code, metrics.short(4 * Math.min(glyph, last)) / unitsPerEm);
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
function* glyphs(cmap: Table): Generator<readonly [code: number, glyph: number]> {
  let map: Table | undefined;
  for (let i = 0; i < cmap.short(2); i++) {
    const found = cmap.from(cmap.long(8 + 8 * i));
    if (found.short(0) === 4) map = found;
  }
  if (!map) return;
  const size = map.short(6);
  for (let s = 0; s < size; s += 2) {
    const end = map.short(14 + s);
    const start = map.short(16 + size + s);
    const delta = map.short(16 + 2 * size + s);
    const rangeAt = 16 + 3 * size + s;
    const range = map.short(rangeAt);
    for (let code = start; code <= end && code !== 0xffff; code++) {
      const glyph = range === 0 ? code : map.short(rangeAt + range + 2 * (code - start));
      if (glyph !== 0) yield [code, (glyph + delta) & 0xffff];
    }
  }
}

type Width = (text: string, fontSize: number, bold: boolean) => number;

let loaded: Promise<Width> | undefined;

/** Tells how wide a text is in the fonts of saved images, in the unit of its size. */
export function loadTextWidth(): Promise<Width> {
  return (loaded ??= load());
}

async function load(): Promise<Width> {
  const of = async (file: (typeof fontFiles)[keyof typeof fontFiles]): Promise<Advances> =>
    new Advances(file, await asset(file));
  const [regular, bold] = [await of(fontFiles.regular), await of(fontFiles.bold)];
  return (text, fontSize, isBold) => fontSize * (isBold ? bold : regular).of(text);
}
