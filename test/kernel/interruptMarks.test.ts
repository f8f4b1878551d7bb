import assert from "node:assert/strict";
import { Interrupts, KernelInterrupt } from "turnwise-kernel/dist/session/interrupt.js";
import { slot, stateBytes } from "turnwise-kernel/dist/session/state.js";

/** The marks of a session in which cell "b", the second one, runs, and code of some cell has the main thread. */
function marksOf(code: "a" | "b"): { state: Int32Array; tick: () => void } {
  const state = new Int32Array(stateBytes / 4);
  state[slot.started] = 2;
  const nothing = (): void => undefined;
  const { tick } = new Interrupts(
    state,
    () => code,
    nothing,
    nothing,
    () => [],
    nothing,
    nothing,
    () => "b",
  );
  return { state, tick };
}

describe("a mark that sees an interrupt", () => {
  it("ends the cell for which it was sent", () => {
    const { state, tick } = marksOf("b");
    state.set([2], slot.meant);
    state.set([1], slot.stop);
    assert.throws(tick, KernelInterrupt);
    assert.equal(state[slot.stop], 2);
  });

  it("lets a cell go on that has started since", () => {
    const { state, tick } = marksOf("b");
    state.set([1], slot.meant);
    state.set([1], slot.stop);
    tick();
    assert.equal(state[slot.stop], 0, "and no mark looks at it again");
  });

  it("lets code of another cell go on while that may take its time, and then no longer", () => {
    const { state, tick } = marksOf("a");
    state.set([2], slot.meant);
    state.set([1], slot.stop);
    tick();
    assert.equal(state[slot.stop], 1, "the cell that it is for has yet to see it");
    state[slot.insists] = 1;
    assert.throws(tick, KernelInterrupt);
    assert.equal(state[slot.stop], 1);
  });
});
