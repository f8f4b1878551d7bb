import { checkCard } from "../base/checkCard";
import type { MimeBundle } from "../base/display";
import { displaySymbol } from "../base/display";
import type { Policy } from "./policy";

/** A policy as a notebook shows it: its parameters by name, with their shapes. */
export function showPolicy(policy: Policy): MimeBundle {
  const rows = policy.parameterTable?.() ?? [];
  return checkCard({
    title: `Policy ${policy.name}`,
    about: `${policy.parameters.length} parameters`,
    rows: rows.map(({ name, shape, count }) => ({
      name,
      ok: null,
      figure: `${shape.join(" x ")}${shape.length > 1 ? ` = ${count}` : ""}`,
    })),
  })[displaySymbol]();
}
