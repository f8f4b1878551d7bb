import { Buffer } from "buffer/index.js";

/** Replacement of Node's `buffer` in cells of a page. */
export { Buffer };
export const { Blob, File, atob, btoa } = globalThis as unknown as Readonly<Record<string, unknown>>;
export const kMaxLength = 0x7fffffff;
export const constants = { MAX_LENGTH: kMaxLength, MAX_STRING_LENGTH: 2 ** 29 - 24 };

export default { Buffer, Blob, File, atob, btoa, kMaxLength, constants };
