const builtin = (globalThis as { process?: { getBuiltinModule?: typeof process.getBuiltinModule } }).process
  ?.getBuiltinModule;

/**
 * The folder for what is computed once on a machine and cannot be kept with the package: its folder may be read-only or belong to
 * an installer, as that of a Python environment does. Undefined in a browser.
 */
export function userCache(): string | undefined {
  const os = builtin?.("node:os");
  const path = builtin?.("node:path");
  if (!os || !path) return undefined;
  return path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache"), "turnwise");
}
