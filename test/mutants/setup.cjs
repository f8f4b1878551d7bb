"use strict";

// Property tests must draw the same examples for every mutant, or a score could not be measured twice.
require("fast-check").configureGlobal({ seed: 20260509 });
