import type { ParameterRow } from "../policy/policy";
import { Table } from "./table";

/**
 * A table of a policy's parameters: name, shape and count of each block, and their sum.
 *
 * @throws {RangeError} if the policy does not describe its parameters
 */
export function parameterTable(policy: {
  readonly name: string;
  parameterTable?(): readonly ParameterRow[];
}): Table {
  const rows = policy.parameterTable?.();
  if (!rows) {
    throw new RangeError(
      `Cannot show the parameters of a ${policy.name} policy: it must have parameterTable, but it is missing.`,
    );
  }
  const lines = rows.map(({ name, shape, count }) => ({ block: name, shape: shape.join(" x "), count }));
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  return new Table(
    [...lines, { block: "all", shape: "", count }],
    `Parameters of the ${policy.name} policy`,
    0,
  );
}
