import { appendFileSync, existsSync } from "node:fs";
import { createRng } from "turnwise";

interface Options {
  readonly seed: number;
  readonly scale?: number;
  readonly log?: string;
  /** While this file exists, seeds from 4 on never end. */
  readonly hold?: string;
}

/** A number that depends on the options and the seed alone; the log tells how often it was asked for. */
export async function draw({ seed, scale = 1, log, hold }: Options): Promise<{ x: number; odd: number }> {
  if (log !== undefined) appendFileSync(log, `${scale} ${seed}\n`);
  if (hold !== undefined && seed >= 4 && existsSync(hold)) await new Promise(() => undefined);
  return { x: scale * createRng(seed).split("draw").normal(), odd: seed % 2 === 1 ? NaN : -0 };
}

/** The value is the scale, so that a test decides what is pruned. */
export function constant({ scale = 1, log, seed }: Options): number {
  if (log !== undefined) appendFileSync(log, `${scale} ${seed}\n`);
  return scale;
}

/** Fails for seed 1 while `broken`, each scale in its own way. */
export function moody({ seed, scale = 0, broken }: Options & { readonly broken: boolean }): unknown {
  if (seed !== 1 || !broken) return seed;
  if (scale === 0) throw new RangeError("no such seed");
  if (scale === 1) process.exit(3);
  if (scale === 2) return new Map();
  return Promise.reject(new Error("later"));
}

/** Reports half, and then never ends. */
export function endless(_: Options, { report }: { report: (fraction: number) => void }): Promise<never> {
  report(0.5);
  return new Promise(() => setInterval(() => undefined, 1000));
}

/** Blocks its thread for ever. */
export function stuck(): never {
  for (;;);
}

/** Blocks its thread for ever in a loop that some versions of V8 would compile so that nothing ends it. */
export function piling(_: Options, { report }: { report: (fraction: number) => void }): never {
  report(0.5);
  let held: number[][] = [];
  for (;;) {
    held.push(new Array<number>(1000).fill(held.length));
    if (held.length > 100) held = [];
  }
}

/** Fills the memory of its thread for seed 1. */
export function greedy({ seed }: Options): number {
  const held: number[][] = [];
  while (seed === 1) held.push(new Array<number>(1000).fill(held.length));
  return seed;
}
