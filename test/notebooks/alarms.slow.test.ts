// Uses internals of turnwise-course.
import assert from "node:assert/strict";
import { alarmRun, storedAlarmRuns } from "turnwise-course/echo-trap";
import { measured } from "turnwise-course";
import type { AlarmSetting } from "turnwise-course/internal/shared/alarms/definitions";

describe("the alarms of the echo trap", () => {
  it("stored levels are what the library computes now", async () => {
    const stored = storedAlarmRuns(measured("echo-trap-alarms"));
    const settings = [...new Set(stored.map(({ setting }) => setting))] as AlarmSetting[];
    assert.ok(settings.length > 1);
    for (const setting of settings) {
      const one = stored.find((run) => run.setting === setting && run.seed === 1000)!;
      assert.deepEqual(await alarmRun({ setting, seed: 1000 }), one);
    }
  }).timeout(60_000);
});
