import assert from "node:assert/strict";
import { linkOf, readLink } from "turnwise-site/internal/views/shared/settings";
import { PageModel } from "turnwise-site/internal/views/shared/pageModel";
import { courseOf, fieldOf, pushAt } from "turnwise-site/internal/views/unlearn/push";
import { settings } from "turnwise-site/internal/views/unlearn/settings";
import { extent, finding, ruleWords } from "turnwise-site/internal/views/unlearn/words";

describe("the page about the bandit that GRPO unlearns", () => {
  it("pushes a pair with one try of each kind by half a standard deviation toward the salary", () => {
    // Pairs at p = .5: both alike (1/2) gives 0. One of each (1/2): the winner gets +1, the loser -1, and the machine wins one in
    // four. Given its own choice, a try meets the other kind half of the time: E[A | machine] = .5 (1/4 - 3/4) = -.25, and two equal
    // pulls with different pay (win and loss) cancel. The salary gets +.25: the push is -.5.
    assert.ok(Math.abs(pushAt(0.5, { group: 2, prize: 1, divide: true }) + 0.5) < 1e-12);
    // Undivided, a pair's advantage is half of the difference: .5 x .5 x (.25 - .15) x 2 = .05.
    assert.ok(Math.abs(pushAt(0.5, { group: 2, prize: 1, divide: false }) - 0.05) < 1e-12);
  });

  it("flips every arrow when the division is switched off", () => {
    const divided = fieldOf({ group: 8, prize: 1, divide: true });
    const plain = fieldOf({ group: 8, prize: 1, divide: false });
    assert.equal(divided.wrong, 1);
    assert.equal(plain.wrong, 0);
    assert.ok(divided.pushes.every((push) => push < 0) && plain.pushes.every((push) => push > 0));
  });

  it("says what the agent learns, and whether that is the better choice", () => {
    const say = (morning: { group: number; prize: number; divide: boolean }): string =>
      finding(morning, courseOf(0.5, morning));
    assert.equal(
      say({ group: 8, prize: 1, divide: true }),
      "GRPO learns to take the salary, the worse choice",
    );
    assert.equal(
      say({ group: 8, prize: 1, divide: false }),
      "GRPO without the division learns to pull the machine, the better choice",
    );
    // A machine that is worth .125 is worth less than the salary.
    assert.equal(
      say({ group: 8, prize: 0.5, divide: true }),
      "GRPO learns to take the salary, the better choice",
    );
    assert.equal(extent({ places: [], pushes: [], wrong: 0.25 }), "The push is wrong for 25% of policies.");
  });

  it("says what GRPO does with a group, as it is set", () => {
    assert.match(
      ruleWords({ group: 4, prize: 1, divide: true }),
      /same morning 4 times, a group,.* standard deviations/,
    );
    assert.doesNotMatch(ruleWords({ group: 4, prize: 1, divide: false }), /standard deviation/);
  });

  it("takes settings from a link, and leaves out and names what is none", () => {
    const { values, refused } = readLink(
      settings,
      "#group=64&prize=1e9&divide=off&x=<b>&start=0.5=1&constructor=1",
    );
    assert.deepEqual(values, { group: 64, prize: 1, start: 0.5, divide: false });
    assert.deepEqual(refused, ["prize=1e9", "x=<b>", "start=0.5=1", "constructor=1"]);
    assert.equal(linkOf(settings, values), "#group=64&divide=off");
    assert.equal(linkOf(settings, readLink(settings, "").values), "");
  });

  it("gives back every setting that a link can hold", () => {
    for (const group of settings.group.values)
      for (const prize of settings.prize.values)
        for (const divide of [true, false]) {
          const values = { group, prize, start: 0.9, divide };
          assert.deepEqual(readLink(settings, linkOf(settings, values)), { values, refused: [] });
        }
  });

  it("follows the address when its reader goes back, and writes it when a setting is chosen", () => {
    let address = "#group=2";
    const model = new PageModel(settings, { read: () => address, write: (text) => void (address = text) });
    let changes = 0;
    model.on("change", () => changes++);
    model.set("prize", 5);
    model.save_changes();
    assert.equal(address, "#group=2&prize=5");
    address = "#group=4";
    model.reload();
    assert.deepEqual([model.get("group"), model.get("prize"), changes], [4, 1, 2]);
  });
});
