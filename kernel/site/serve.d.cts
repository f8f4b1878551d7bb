import type { Server } from "node:http";

/** Serves a folder below `prefix` on this machine's own address; nothing outside the folder is read. */
export function serve(folder: string, o?: { port?: number; prefix?: string }): Promise<Server>;
