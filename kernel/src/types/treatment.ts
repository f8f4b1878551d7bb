import type { TypePolicy } from "../magics/contract.js";
import type { Dialect } from "../magics/dialects.js";
import type { MagicCell } from "./magic-lines.js";

/** Whether a type error stops its cell. */
export const stops = (policy: TypePolicy): boolean => policy === "error" || policy === "strict";

/** Treatment of type errors where a notebook does not set it: other kernels run a cell whatever its types are. */
const policyOf = (dialect: Dialect): TypePolicy => (dialect === "typescript" ? "error" : "warn");

/** Treatment of cells, as the environment and the cells themselves set it. */
export class Treatment {
  policy: TypePolicy;
  private dialect: Dialect;

  constructor(policy: TypePolicy | undefined, dialect: Dialect = "typescript") {
    this.dialect = dialect;
    this.policy = policy ?? policyOf(dialect);
  }

  setDialect(dialect: Dialect): TypePolicy {
    this.dialect = dialect;
    return policyOf(dialect);
  }

  /** Treatment of one cell: with `sloppy`, it is plain JavaScript. */
  of({ javascript }: MagicCell): { readonly policy: TypePolicy; readonly sloppy: boolean } {
    const { policy, dialect } = this;
    return {
      policy: javascript && stops(policy) ? "warn" : policy,
      sloppy: javascript ?? dialect === "javascript",
    };
  }
}
