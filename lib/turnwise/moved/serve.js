"use strict";
throw new Error(
  'Cannot import turnwise/serve: since 0.2, it belongs to a package of its own: import { serve } from "turnwise-practice/serve"',
);
