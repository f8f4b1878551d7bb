import { computeReport } from "../policy/neural/computeReport";
import { loadBackend } from "../tensor/backend";

/** Checks of this package that `turnwise doctor` prints: `jupyterKernel.doctor` names this module. */
export async function examine(): Promise<{ state: "ok"; text: string }[]> {
  const report = await loadBackend();
  const head = `Tensor backend ${report.name} (TensorFlow.js ${report.tfjsVersion})`;
  const lines = report.attempts.map(
    ({ name, reason }) => `${name === report.name ? "runs" : "not used"}: ${name}, ${reason}`,
  );
  return [
    { state: "ok", text: [head, report.choice, ...lines].join("\n        ") },
    { state: "ok", text: computeReport().join("\n        ") },
  ];
}
