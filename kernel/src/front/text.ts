/** The UTF-16 offset of a position that counts Unicode characters, as the protocol does. */
export function toUtf16Offset(text: string, characters: number): number {
  let offset = 0;
  let left = Math.max(0, characters);
  for (const character of text) {
    if (left-- <= 0) break;
    offset += character.length;
  }
  return offset;
}

/** The number of Unicode characters before a UTF-16 offset. */
export function toCharacters(text: string, offset: number): number {
  return Array.from(text.slice(0, offset)).length;
}
