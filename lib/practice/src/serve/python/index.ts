import { didYouMean } from "turnwise/internal/base/suggest";
import type { Trainer } from "./contract";
import { openEnv } from "./openEnv";
import { skyRl } from "./skyRl";
import { trl } from "./trl";
import { verifiers } from "./verifiers";
import { verl } from "./verl";
import { pythonWorld, type PythonOptions } from "./world";

export type { PythonOptions } from "./world";

const trainers = { trl, verifiers, verl, skyrl: skyRl, openenv: openEnv } satisfies Record<string, Trainer>;

/** Trainers that a client can be written for. */
export const clientNames = Object.keys(trainers) as readonly (keyof typeof trainers)[];

/** A file in Python. */
export interface ClientFile {
  /** Such as `lookup_trl.py`. */
  readonly name: string;
  readonly text: string;
}

/**
 * Writes a client in Python with which a trainer plays a served world: each tool is a method with types and a docstring.
 *
 * @param trainer one of `clientNames`
 * @throws {RangeError} if the trainer is unknown, or `make` refuses the world
 */
export function clientFile(id: string, trainer: string, o: PythonOptions): ClientFile {
  const name = trainer.toLowerCase();
  if (!Object.hasOwn(trainers, name)) {
    throw new RangeError(
      `Cannot write a client of ${id}: --client must be one of ${clientNames.join(", ")}, got "${trainer}".${didYouMean(name, clientNames)}`,
    );
  }
  const { write, reserved } = trainers[name as keyof typeof trainers];
  const world = pythonWorld(id, name, reserved, o);
  return { name: `${world.moduleName}.py`, text: write(world) };
}
