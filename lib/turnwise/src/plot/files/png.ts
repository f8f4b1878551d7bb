import { asset } from "#assets";
import { family, fontBytes } from "./fonts";

let ready: Promise<typeof import("@resvg/resvg-wasm")> | undefined;

/** The renderer (resvg as WebAssembly, 2.4 MB) is loaded on first use. */
async function load(): Promise<typeof import("@resvg/resvg-wasm")> {
  const resvg = await import("@resvg/resvg-wasm");
  const bytes = await asset("resvg.wasm");
  await resvg.initWasm(Uint8Array.from(bytes).buffer);
  return resvg;
}

/**
 * An SVG document as a PNG file.
 *
 * @param scale pixels for each unit of the document
 */
export async function pngOf(svg: string, scale: number): Promise<Uint8Array> {
  const { Resvg } = await (ready ??= load());
  const fontBuffers = await fontBytes();
  const drawing = new Resvg(svg, {
    fitTo: { mode: "zoom", value: scale },
    font: {
      fontBuffers,
      loadSystemFonts: false,
      defaultFontFamily: family,
      sansSerifFamily: family,
      serifFamily: family,
      monospaceFamily: family,
    },
  });
  try {
    const image = drawing.render();
    const bytes = image.asPng();
    image.free();
    return bytes;
  } finally {
    drawing.free();
  }
}
