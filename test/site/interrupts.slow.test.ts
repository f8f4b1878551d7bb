import { testInterrupts } from "./interruptTests.js";

// At other moments, and in Firefox: interrupts.matrix.
for (const isolated of [true, false]) testInterrupts(isolated, [10]);
