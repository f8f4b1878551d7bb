import { page } from "../page";
import type { Asset } from "./asset";

/** Whether pictures have the fonts and the renderer at hand. */
export const hasAssets = (): boolean => page().asset !== undefined;

/** The bytes of a file that the page serves. */
export async function asset(name: Asset): Promise<Uint8Array> {
  const bytes = await page().asset?.(name);
  if (bytes) return bytes;
  throw new RangeError(`Cannot draw a picture: the page must serve ${name}, and it has no such file.`);
}
