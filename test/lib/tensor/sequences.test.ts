import assert from "node:assert/strict";
import fc from "fast-check";
import { Sequences } from "turnwise/internal/tensor/sequences";

describe("numbers for sequences", () => {
  it("are equal for equal sequences and different for different ones, however many there are", () => {
    const whole = fc.integer({ min: -3, max: 300 });
    fc.assert(
      fc.property(fc.array(fc.array(whole, { maxLength: 6 }), { maxLength: 200 }), (lists) => {
        const sequences = new Sequences();
        const numbers = lists.map((list) => sequences.extend(0, list));
        const texts = lists.map((list) => list.join(","));
        const byText = new Map(texts.map((text, i) => [text, numbers[i]!]));
        texts.forEach((text, i) => assert.equal(numbers[i], byText.get(text)));
        assert.equal(new Set(byText.values()).size, byText.size);
        lists.forEach((list, i) => assert.equal(sequences.extend(0, list), numbers[i]));
      }),
    );
  });

  it("count up from the empty sequence, one for every beginning", () => {
    const sequences = new Sequences();
    assert.equal(sequences.extend(0, []), 0);
    assert.equal(sequences.extend(0, [7, 7]), 2); // [7] is 1
    assert.equal(sequences.child(0, -1), 3);
    assert.equal(sequences.child(1, 7), 2);
    assert.equal(sequences.count, 4);
  });
});
