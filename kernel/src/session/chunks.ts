/** Reads chunks as UTF-8; a character whose bytes two chunks share comes with the second one. */
export function textOfChunks(): (chunk: string | Uint8Array) => string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  // Bytes that were left over, and can no longer become a character, stand before a text.
  return (chunk) =>
    typeof chunk === "string" ? decoder.decode() + chunk : decoder.decode(chunk, { stream: true });
}
