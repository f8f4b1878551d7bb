import { binary, relaxedBinary } from "../binary";
import { embed } from "./embedded";

// A rule alone has the same bits without the compiled kernels, which are half as large as all rules together.
embed(binary, relaxedBinary);
