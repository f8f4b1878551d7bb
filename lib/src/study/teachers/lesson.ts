import type { Claim } from "../../plot/ledger";
import { measured } from "../files/measured";
import { storedTable } from "../storedTable";
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
