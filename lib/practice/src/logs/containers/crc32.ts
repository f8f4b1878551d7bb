import { crcBy } from "turnwise/internal/base/crc";

/** The checksum CRC-32 of bytes, as zlib and PNG have it. */
export const crc32 = crcBy(0xedb88320);
