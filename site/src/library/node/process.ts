import { files, path, setUp } from "turnwise/browser";
import { coded, refused } from "../errors.js";

type Stream = Readonly<{ isTTY: boolean; columns: number; write?: (text: string) => boolean }>;

/** Properties of Node's `process` that programs expect, as far as a page has them. */
function pageProcess() {
  const begun = performance.now();
  const nothing = (): unknown => shim;
  const nanoseconds = (): bigint => BigInt(Math.round(performance.now() * 1e6));
  const stream = (): Stream => ({ isTTY: false, columns: 80 });
  const shim = {
    env: { NO_COLOR: "1" } as Record<string, string>,
    argv: [] as string[],
    pid: 0,
    platform: "browser",
    version: "",
    versions: {},
    stdout: stream(),
    stderr: stream(),
    cwd: () => setUp({}).folder,
    chdir: goTo,
    // A page does not tell what a processor has done.
    cpuUsage: () => ({ user: 0, system: 0 }),
    uptime: () => (performance.now() - begun) / 1e3,
    hrtime: Object.assign(
      (from: readonly [number, number] = [0, 0]): [number, number] => {
        const since = nanoseconds() - (BigInt(from[0]) * 1_000_000_000n + BigInt(from[1]));
        return [Number(since / 1_000_000_000n), Number(since % 1_000_000_000n)];
      },
      { bigint: nanoseconds },
    ),
    nextTick: (run: (...given: unknown[]) => void, ...given: unknown[]) =>
      queueMicrotask(() => run(...given)),
    on: nothing,
    once: nothing,
    off: nothing,
    removeListener: nothing,
    removeAllListeners: nothing,
    emit: () => false,
    listeners: () => [],
    listenerCount: () => 0,
    exit: refused("exit: a web page has no process. Restart the kernel."),
    kill: refused("end a process: a web page has none."),
  };
  return shim;
}

/** From now on, paths of files begin at another folder. */
function goTo(folder: string): void {
  const from = setUp({}).folder;
  const to = path.resolve(folder);
  const found = files.statSync(to, { throwIfNoEntry: false });
  if (!found?.isDirectory()) {
    const [code, words] = found ? ["ENOTDIR", "not a directory"] : ["ENOENT", "no such file or directory"];
    throw Object.assign(coded(new Error(`${code}: ${words}, chdir '${from}' -> '${folder}'`), code), {
      syscall: "chdir",
      path: from,
      dest: folder,
    });
  }
  setUp({ folder: to });
  // The notebook's folder is there even if nothing lies in it, so that one can go back.
  files.mkdirSync(from, { recursive: true });
}

type Process = ReturnType<typeof pageProcess>;

/** That of the cells; a worker of jobs has no global one. */
const process: Process = (globalThis as unknown as { process?: Process }).process ?? pageProcess();

export const { argv, chdir, cpuUsage, cwd, env, exit, hrtime, kill, nextTick, pid, platform } = process;
export const { stderr, stdout, uptime, version, versions } = process;
export default process;
