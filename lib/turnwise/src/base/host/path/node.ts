import nodePath from "node:path";
import type { Paths } from "./paths";

export const path: Paths = nodePath;
