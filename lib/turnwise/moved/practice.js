"use strict";
throw new Error(
  'Cannot import turnwise/practice: since 0.2, it is a package of its own: import { readLog } from "turnwise-practice"',
);
