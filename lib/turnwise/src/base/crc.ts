/** A cyclic redundancy check of 32 bits, by its polynomial with the bits in reverse order. */
export function crcBy(polynomial: number): (bytes: Uint8Array) => number {
  const table = Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1;
    return value;
  });
  return (bytes) => {
    let crc = 0xffffffff;
    for (const byte of bytes) crc = table[(crc ^ byte) & 255]! ^ (crc >>> 8);
    return (crc ^ 0xffffffff) >>> 0;
  };
}
