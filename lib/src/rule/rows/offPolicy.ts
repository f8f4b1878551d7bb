import type { Row } from "./row";

/** Rules that correct for a batch which another policy, or another engine, has sampled. */
export const offPolicy = {} as const satisfies Readonly<Record<string, Row>>;
