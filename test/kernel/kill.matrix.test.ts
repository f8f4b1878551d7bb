import { describeKills, states, victims } from "./kills.js";

describe("kill -9, of all processes in all states:", function () {
  this.timeout(240_000);
  describeKills(
    (Object.keys(states) as (keyof typeof states)[]).flatMap((state) =>
      victims.map((victim) => [state, victim] as const),
    ),
  );
});
