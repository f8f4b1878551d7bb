import { orderArms, type OrderArm, type OrderWorld } from "./orderAblation";
import type { SweepTask } from "turnwise/internal/sweep/plan";

type OneOf<X> = X | readonly X[];

/** A part of the study: the options that all its runs share, and the axes along which they differ. */
export interface OrderStudyPart {
  readonly arm: readonly OrderArm[];
  readonly world?: OrderWorld;
  readonly scale?: OneOf<"none" | "group" | "batch">;
  readonly beta?: OneOf<number>;
  readonly learningRate?: number;
  readonly updates?: number;
}

const pair = ["reverse", "simultaneous, equal steps"] as const satisfies readonly OrderArm[];

/**
 * The sampled runs behind the update-order notebook, each a grid for `sweep`.
 *
 * Within a part, all arms see equal samples and share the loss denominator; the arms of `pair` take equally many
 * optimizer steps. The learning rate is 2 where nothing is divided, and .5 where returns are divided by a std.
 */
export const orderStudy = Object.freeze({
  /** Returns divided by a std. */
  scale: { arm: pair, scale: ["group", "batch"], learningRate: 0.5 },
  /** From weaker and better starting policies. */
  beta: { arm: pair, beta: [1.5, 3] },
  /** A policy that must pass notes to itself. */
  keyDoor: { arm: ["reverse", "forward", "simultaneous, equal steps"], world: "KeyDoor-v0" },
  /** Calls that need what earlier calls returned; from scratch. */
  apiChain: { arm: pair, world: "ApiChain-v0", learningRate: 16, updates: 50 },
  /** All orders on ToolChain-v0 with turn cost .01, from a weak start (beta = 2). */
  order: { arm: orderArms },
} satisfies Readonly<Record<string, OrderStudyPart>>);

/** The job that runs one cell of `orderStudy`. */
export const orderTask: SweepTask = Object.freeze({ module: "turnwise-course/jobs", export: "orderJob" });
