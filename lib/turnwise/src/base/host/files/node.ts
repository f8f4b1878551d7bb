import fs from "node:fs";
import type { Files } from "./files";

export const files: Files = fs;
