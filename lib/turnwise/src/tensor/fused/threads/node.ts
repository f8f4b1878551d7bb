type Builtin = typeof process.getBuiltinModule;

/** Node's own modules; undefined in a browser, which then uses one thread and no native kernels. */
const builtin = (globalThis as { process?: { getBuiltinModule?: Builtin } }).process?.getBuiltinModule;

export const workerThreads = builtin?.("node:worker_threads");
export const fs = builtin?.("node:fs");
export const path = builtin?.("node:path");
export const nodeModule = builtin?.("node:module");
