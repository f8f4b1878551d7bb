import { join } from "node:path";
import { TslabEngine } from "turnwise-kernel/dist/types/tslab-engine.js";
import { describeTypesBy } from "./typesBy.js";
import { repository } from "./with-kernel.js";

describeTypesBy("tslab's converter", () => {
  // tslab looks for packages from the current folder.
  process.chdir(join(repository, "kernel"));
  return new TslabEngine();
});
