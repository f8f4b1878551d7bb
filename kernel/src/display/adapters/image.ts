import { adapter } from "./contract.js";

const signatures: readonly [mediaType: string, name: string, bytes: readonly number[]][] = [
  ["image/png", "PNG", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image/jpeg", "JPEG", [0xff, 0xd8, 0xff]],
  ["image/gif", "GIF", [0x47, 0x49, 0x46, 0x38]],
];

type Signature = (typeof signatures)[number];

/** Bytes that begin as those of an image do. */
export const image = adapter<Uint8Array>({
  shows: "bytes that begin like a PNG, JPEG or GIF",
  types: ["image/png", "image/jpeg", "image/gif"],
  fits: (value): value is Uint8Array => value instanceof Uint8Array && signatureOf(value) !== undefined,
  bundle(value) {
    const [mediaType, name] = signatureOf(value)!;
    const data = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    // The first chunk of a PNG holds its size.
    const size =
      name === "PNG" && data.length >= 24 ? `, ${data.readUInt32BE(16)} x ${data.readUInt32BE(20)}` : "";
    return {
      [mediaType]: data.toString("base64"),
      "text/plain": `<${name} image${size}, ${data.length.toLocaleString("en")} bytes>`,
    };
  },
});

function signatureOf(value: Uint8Array): Signature | undefined {
  return signatures.find(([, , bytes]) => bytes.every((byte, i) => value[i] === byte));
}
