"use strict";
throw new Error(
  'Cannot import turnwise/study: since 0.2, the lessons are packages of their own: import { claims } from "turnwise-course", { drawThreeTraps } from "turnwise-course/echo-trap", { verdict } from "turnwise/verdict"',
);
