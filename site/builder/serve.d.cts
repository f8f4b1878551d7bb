import type { Server } from "node:http";

/**
 * Serves a folder below `prefix` on this machine's own address; nothing outside the folder is read. With `compress`, what shrinks is
 * sent by gzip.
 */
export function serve(
  folder: string,
  o?: { port?: number; prefix?: string; compress?: boolean },
): Promise<Server>;
