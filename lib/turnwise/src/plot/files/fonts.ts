import { asset } from "#assets";

/** The one family of saved images: text must look the same on a machine without any fonts. */
export const family = "DejaVu Sans";

/** The files of the family. */
export const fontFiles = { regular: "DejaVuSans.ttf", bold: "DejaVuSans-Bold.ttf" } as const;

/** The fonts as bytes. */
export function fontBytes(): Promise<Uint8Array[]> {
  return Promise.all(Object.values(fontFiles).map((file) => asset(file)));
}
