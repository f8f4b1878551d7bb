import { ADAPTER } from "../../configs/source/python";
import type { Subject } from "../subject";

/** Whether an adapter is trained, as far as the configuration says: its rank, or what a program passes to its trainer. */
export const isAdapter = (s: Subject): boolean =>
  (s.has("loraRank") && s.gives("loraRank") && s.isOn("loraRank")) || s.mentions(ADAPTER);
