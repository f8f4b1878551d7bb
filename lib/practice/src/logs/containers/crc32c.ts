import { crcBy } from "turnwise/internal/base/crc";

/** The checksum CRC-32C (Castagnoli) of bytes. */
export const crc32c = crcBy(0x82f63b78);
