import { help } from "./help";
import type { Duty } from "./helpers/helper";
import { workerThreads } from "./node";

help(workerThreads!.workerData as Duty);
