import { binary, relaxedBinary } from "../binary";
import { carry } from "./carried";

// A rule alone has the same bits without the compiled kernels, which are half as large as all rules together.
carry(binary, relaxedBinary);
