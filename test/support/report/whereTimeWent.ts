import os from "node:os";
import { span } from "./position.js";

/** Milliseconds that all processors together have worked, and have been idle, since the machine started. */
function processors(): { readonly busy: number; readonly idle: number } {
  const times = os.cpus().map(({ times: { user, nice, sys, irq, idle } }) => ({
    busy: user + nice + sys + irq,
    idle,
  }));
  const sum = (of: (one: (typeof times)[number]) => number): number =>
    times.reduce((total, one) => total + of(one), 0);
  return { busy: sum(({ busy }) => busy), idle: sum(({ idle }) => idle) };
}

/** The folder that a compiled file of tests counts for: `lib/rule`, `kernel`, `site`. */
function folderOf(file: string): string {
  const parts = file.replace(/^build\/test\//, "").split("/");
  return parts.slice(0, Math.min(parts[0] === "lib" ? 2 : 1, parts.length - 1)).join("/") || "test";
}

/**
 * Starts to watch the processors; the function that it returns says where the time of a run went: its ten slowest files, its
 * folders, how long each lane had nothing to do, and how busy the processors were.
 */
export function whereTimeWent(): (
  times: readonly (readonly [file: string, ms: number])[],
  idle: readonly number[],
) => string[] {
  const before = processors();
  const [load] = os.loadavg();
  return (times, idle) => {
    const folders = new Map<string, { ms: number; files: number }>();
    for (const [file, ms] of times) {
      const folder = folders.get(folderOf(file)) ?? { ms: 0, files: 0 };
      folders.set(folderOf(file), { ms: folder.ms + ms, files: folder.files + 1 });
    }
    const now = processors();
    const [busy, rest] = [now.busy - before.busy, now.idle - before.idle];
    const share = busy + rest > 0 ? Math.round((100 * busy) / (busy + rest)) : 0;
    const line = (ms: number, text: string): string => `${span(ms).padStart(12)}  ${text}`;
    return [
      "",
      "The ten slowest files:",
      ...times.slice(0, 10).map(([file, ms]) => line(ms, file)),
      "",
      "Folders:",
      ...[...folders]
        .sort(([, a], [, b]) => b.ms - a.ms)
        .map(([name, { ms, files }]) => line(ms, `${name} (${String(files)})`)),
      "",
      `Idle at the end, by lane: ${idle.map(span).join(", ")}`,
      `Processors: ${String(os.cpus().length)}, busy ${String(share)}%; load ${load!.toFixed(1)} before the run`,
    ];
  };
}
