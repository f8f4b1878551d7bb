/**
 * Protocol by which the threads that share the kernels' memory divide the work, in a shared Int32Array.
 *
 * A task comes in parts, and whoever is free takes the next one. So a thread that the machine holds up delays only its own
 * part.
 */
const STATE = 0;
/** Number of threads, other than the first, that may be working on a part. */
export const BUSY = 1;
/** 1 while a thread sleeps, or is about to. */
export const ASLEEP = 2;
/** 1 once a thread has failed in the middle of a part. */
export const FAILED = 3;
/** From here on: where each part begins and ends on the tape. */
export const PLACES = 4;
export const MOST_PARTS = 255;
export const CONTROL_LENGTH = PLACES + 2 * MOST_PARTS;

/** Offers the parts from `first` up to, but not including, `end`; 0 and 0 offer none. */
export function offer(control: Int32Array, first: number, end: number): void {
  Atomics.store(control, STATE, first | (end << 8));
}

export function isOffered(control: Int32Array): boolean {
  const state = Atomics.load(control, STATE);
  return (state & 0xff) < state >> 8;
}

/**
 * Takes parts until none is left, the first thread from the front and the others from the back, so that each finds most of
 * its rows in its own cache from one task to the next.
 */
export function takeParts(control: Int32Array, from: "front" | "back", work: (part: number) => void): void {
  for (;;) {
    const state = Atomics.load(control, STATE);
    const [first, end] = [state & 0xff, state >> 8];
    if (first >= end) return;
    const after = from === "front" ? state + 1 : state - 256;
    if (Atomics.compareExchange(control, STATE, state, after) === state)
      work(from === "front" ? first : end - 1);
  }
}
