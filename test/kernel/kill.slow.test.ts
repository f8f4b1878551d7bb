import { describeKills } from "./kills.js";

describe("kill -9", function () {
  this.timeout(240_000);
  // Each state twice, and each victim.
  describeKills([
    ["nothing runs", "front"],
    ["nothing runs", "type service"],
    ["a cell blocks", "parent"],
    ["a cell blocks", "session"],
    ["a cell waits for a child process", "session"],
    ["a cell waits for a child process", "type service"],
  ]);
});
