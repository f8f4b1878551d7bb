import { page } from "../page";
import type { Machine } from "./machine";

export const machine: Machine = {
  // A lock that an earlier page has left names another number, and so nobody.
  pid: Math.round(1000 * performance.timeOrigin),
  startedAt: () => new Date(performance.timeOrigin),
  hostName: () => "browser",
  isAlive: (pid) => pid === machine.pid,
  cwd: () => page().folder,
  root: "/",
  program: "npx turnwise",
  cores: () => (page().startJobWorker ? Math.max(1, navigatorOf()?.hardwareConcurrency ?? 1) : 0),
  digest,
  deprecated: (text) => console.warn(text),
  errors: { write: (text) => console.error(text.replace(/\n$/, "")) },
};

const navigatorOf = (): { readonly hardwareConcurrency?: number } | undefined =>
  (globalThis as { navigator?: { readonly hardwareConcurrency?: number } }).navigator;

/** 64 bits (FNV-1a, from two starts): the modules of one notebook are few, and nobody forges them. */
function digest(text: string): string {
  const hash = (seed: number): number => {
    let sum = seed;
    for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193);
    return sum >>> 0;
  };
  return `${hash(0x811c9dc5).toString(16)}-${hash(0x9747b28c).toString(16)}-${text.length}`;
}
