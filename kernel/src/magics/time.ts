import type { Magic, MagicHost } from "./contract.js";
import { duration } from "./duration.js";

/** `%time`, `%%time`: how long a statement or a cell takes. */
export const time: Magic = {
  name: "time",
  forms: ["code line", "cell"],
  usage: ["%time statement", "%%time"],
  about: "Measures the wall time and the processor time of a statement or a cell.",
  more: "A cell that fails or is interrupted is timed, too.",
  example: "%%time\nconst page = await fetch('https://example.com');",
  run({ code }, host) {
    const report = watch(host);
    if (!code) return host.afterCell(report);
    const result = code();
    if (!(result instanceof Promise)) {
      report();
      return result;
    }
    return result.finally(report);
  },
};

function watch(host: MagicHost): () => void {
  const start = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    const wall = duration(performance.now() - start);
    host.print(`Wall time: ${wall}, processor time: ${duration((user + system) / 1_000)}\n`);
  };
}
