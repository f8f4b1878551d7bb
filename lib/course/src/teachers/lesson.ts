import type { Claim } from "turnwise/internal/plot/ledger";
import { measured } from "../shared/measured";
import { storedTable } from "../shared/storedTable";
import { teacherClaims } from "./claims";

/** The ledger of teachers: on-policy distillation, RL-PLUS and PACED-RL. */
export function teachersLesson(): Claim[] {
  const table = (name: string): ReturnType<typeof storedTable> => storedTable(measured(name));
  return teacherClaims({
    distil: table("distil"),
    boundary: table("boundary"),
    calibration: table("calibration"),
    samplers: table("samplers"),
    oldCalibration: table("calibration-old"),
    oldSamplers: table("samplers-old"),
  });
}
