const backendBefore = Symbol.for("turnwise.backendBefore");

/** The part of TensorFlow.js's engine that is used here; the library itself is not loaded. */
interface Engine {
  endScope(): void;
  backendName: string;
  backendInstance: unknown;
  /** Set while the library's tensors compute in double precision: what ran before. */
  [backendBefore]?: { readonly name: string; readonly instance: unknown } | undefined;
  state: {
    scopeStack: unknown[];
    activeScope: unknown;
    kernelDepth: number;
    gradientDepth: number;
    activeTape: unknown;
    numDataMovesStack: unknown[];
  };
}

function engine(): Engine | undefined {
  // TensorFlow.js keeps its one engine here, so that several copies of the library share it.
  const found = (globalThis as { _tfengine?: Partial<Engine> })._tfengine;
  return typeof found?.endScope === "function" && Array.isArray(found.state?.scopeStack)
    ? (found as Engine)
    : undefined;
}

/** Number of open scopes; those that a cell opened on purpose outlive it. */
export function openScopes(): number {
  return engine()?.state.scopeStack.length ?? 0;
}

/**
 * Puts TensorFlow.js in order after V8 has ended a cell in the middle of its work, where `finally` does not run:
 * closes the scopes above `kept` (their tensors are disposed), forgets the kernels and gradients under way, and goes back to
 * the backend that a switch to another has left.
 * Must be called from the event loop, when none of them can be.
 *
 * Without it each later gradient fails: the engine believes itself inside a kernel and records nothing.
 *
 * @returns whether there was anything to reset
 */
export function resetEngine(kept: number): boolean {
  const found = engine();
  if (!found) return false;
  const { state } = found;
  const before = found[backendBefore];
  if (before !== undefined) {
    found.backendName = before.name;
    found.backendInstance = before.instance;
    found[backendBefore] = undefined;
  }
  const damaged = state.scopeStack.length > kept || state.kernelDepth > 0 || state.gradientDepth > 0;
  while (state.scopeStack.length > kept) {
    const before = state.scopeStack.length;
    try {
      found.endScope();
    } catch {
      // A tensor of that scope was itself half made.
    }
    if (state.scopeStack.length === before) {
      state.scopeStack.pop();
      state.activeScope = state.scopeStack.at(-1) ?? null;
    }
  }
  state.kernelDepth = 0;
  state.gradientDepth = 0;
  state.activeTape = null;
  state.numDataMovesStack = [];
  return damaged;
}
