import { toBundle } from "../display/bundle.js";
import type { ErrorContent, JsonObject } from "../protocol/message.js";
import type { CellEvaluator, Evaluation, Failed } from "./evaluation.js";
import type { ExecuteCommand } from "./messages.js";
import type { Runtime } from "./runtime.js";

/** The answers to the expressions that come with a cell. */
export async function evaluateExpressions(
  command: ExecuteCommand,
  evaluator: CellEvaluator,
  runtime: Runtime,
  describe: (failed: Failed, script: string) => ErrorContent,
): Promise<JsonObject> {
  const results: JsonObject = {};
  for (const [name, code] of Object.entries(command.expressions)) {
    runtime.v = undefined;
    const script = `expression_${name}.ts`;
    const evaluation = await new Promise<Evaluation>((resolve) => evaluator.run(code, script, {}, resolve));
    results[name] = evaluation.ok
      ? { status: "ok", data: await toBundle(runtime.v), metadata: {} }
      : { status: "error", ...describe(evaluation, script) };
  }
  return results;
}
