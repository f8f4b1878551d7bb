type Builtin = typeof process.getBuiltinModule;

/** Node's own modules; undefined in a browser, which then uses one thread. */
const builtin = (globalThis as { process?: { getBuiltinModule?: Builtin } }).process?.getBuiltinModule;

export const workerThreads = builtin?.("node:worker_threads");
export const os = builtin?.("node:os");
