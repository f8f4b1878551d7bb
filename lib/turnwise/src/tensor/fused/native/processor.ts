import { fs } from "../threads/node";

/** Target of the native kernels; each later one runs on fewer processors. */
export type Level = "x86-64" | "x86-64-v3" | "x86-64-v4" | "arm64";

/** Names in Linux of the instructions that a level adds to the one before. */
const FLAGS: readonly (readonly [Level, readonly string[]])[] = [
  ["x86-64-v4", ["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"]],
  ["x86-64-v3", ["avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"]],
];

/** The highest level whose flags, and those of all lower levels, are among the given ones. */
export function levelOf(flags: ReadonlySet<string>): Level {
  const has = (names: readonly string[]): boolean => names.every((name) => flags.has(name));
  const reached = FLAGS.findIndex((_, i) => FLAGS.slice(i).every(([, names]) => has(names)));
  return reached < 0 ? "x86-64" : FLAGS[reached]![0];
}

/**
 * The level to run on: that of this processor, or the lower one that TURNWISE_NATIVE names; undefined if it names one that this
 * processor does not have.
 */
export function wantedLevel(wanted = process.env.TURNWISE_NATIVE): Level | undefined {
  return wanted ? processorLevels().find((level) => level === wanted) : processorLevel();
}

/** All levels of this processor, from the lowest on. */
export function processorLevels(): Level[] {
  const own = processorLevel();
  if (own === undefined || own === "arm64") return own ? [own] : [];
  const all: Level[] = ["x86-64", ...FLAGS.map(([level]) => level).reverse()];
  return all.slice(0, all.indexOf(own) + 1);
}

/** The level of this processor, undefined where no native kernels are compiled for it. */
export function processorLevel(): Level | undefined {
  if (process.arch === "arm64") return "arm64";
  if (process.arch !== "x64" || process.platform === "win32") return undefined;
  try {
    const line = /^flags\s*:(.*)$/m.exec(fs!.readFileSync("/proc/cpuinfo", "utf8"));
    return levelOf(new Set(line?.[1]!.trim().split(/\s+/)));
  } catch {
    return "x86-64";
  }
}
