import type { MimeBundle } from "../../protocol/message.js";
import { isPromise } from "../promises.js";
import { adapter } from "./contract.js";
import { hasMethods, stored } from "./traits.js";

interface Canvas {
  width: number;
  height: number;
  toDataURL?(type: string): unknown;
  toBuffer?(type?: string): unknown;
  convertToBlob?(o: { type: string }): Promise<{ arrayBuffer(): Promise<ArrayBuffer> }>;
}

const png = "image/png";

export const canvas = adapter<Canvas>({
  shows: "canvases (`canvas`, `@napi-rs/canvas`, `skia-canvas`, `OffscreenCanvas` in a page)",
  types: [png],
  fits: (value): value is Canvas =>
    hasMethods(value, "toDataURL") ||
    (hasMethods(value, "getContext") &&
      ["toBuffer", "convertToBlob"].some((name) => hasMethods(value, name))),
  bundle(canvas) {
    const { width, height } = canvas;
    const kind = stored(canvas, "type") ?? (canvas as { type?: unknown }).type;
    if (kind === "svg" || kind === "pdf") return document(canvas, kind);
    const shown = (data: unknown): MimeBundle | undefined => {
      const picture = pictureOf(data);
      const size = typeof width === "number" ? `, ${width} x ${height}` : "";
      return picture && { [picture.type]: picture.base64, "text/plain": `<canvas${size}>` };
    };
    const drawn = drawing(canvas);
    return isPromise(drawn) ? drawn.then(shown) : shown(drawn);
  },
});

/** The picture as a data URL or bytes, or a promise of them. */
function drawing(canvas: Canvas): unknown {
  if (hasMethods(canvas, "toDataURL")) return canvas.toDataURL!(png);
  if (hasMethods(canvas, "toBuffer")) return canvas.toBuffer!(png);
  return canvas.convertToBlob!({ type: png })
    .then((blob) => blob.arrayBuffer())
    .then((bytes) => new Uint8Array(bytes));
}

function pictureOf(data: unknown): { type: string; base64: string } | undefined {
  if (data instanceof Uint8Array) return { type: png, base64: Buffer.from(data).toString("base64") };
  // A canvas without pixels, or without what draws on it, gives no picture; some know no PNG.
  const found =
    typeof data === "string" ? /^data:(image\/(?:png|jpeg|gif|webp));base64,(.+)$/s.exec(data) : null;
  return found ? { type: found[1]!, base64: found[2]! } : undefined;
}

/** A canvas of node-canvas that writes a document instead of pixels. */
function document(canvas: Canvas, kind: "svg" | "pdf"): MimeBundle | undefined {
  const data = canvas.toBuffer?.();
  if (!(data instanceof Uint8Array)) return undefined;
  const bytes = Buffer.from(data);
  return kind === "svg"
    ? { "image/svg+xml": bytes.toString("utf8"), "text/plain": "<SVG image>" }
    : { "application/pdf": bytes.toString("base64"), "text/plain": "<PDF document>" };
}
