const multiplier = 0x5bd1e995;

/**
 * MurmurHash2 of a text's UTF-8 bytes, 32 bits: by it a front end names the cell that a breakpoint is in.
 *
 * Source: Austin Appleby's MurmurHash2, as named by `hashMethod` in Jupyter's debugInfo reply.
 */
export function murmur2(text: string, seed: number): number {
  const data = Buffer.from(text, "utf8");
  let hash = seed ^ data.length;
  let at = 0;
  for (; data.length - at >= 4; at += 4) {
    let word = Math.imul(data.readUInt32LE(at), multiplier);
    word ^= word >>> 24;
    hash = Math.imul(hash, multiplier) ^ Math.imul(word, multiplier);
  }
  const rest = data.length - at;
  if (rest > 0) {
    for (let i = rest - 1; i >= 0; i--) hash ^= data[at + i]! << (8 * i);
    hash = Math.imul(hash, multiplier);
  }
  hash ^= hash >>> 13;
  hash = Math.imul(hash, multiplier);
  return (hash ^ (hash >>> 15)) >>> 0;
}
