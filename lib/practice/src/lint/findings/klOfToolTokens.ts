import { clear, found, inapplicable, unknown, type Finding } from "../contract";

export const klOfToolTokens: Finding = {
  title: "The KL of tool tokens may be part of the return",
  severity: "warning",
  confidence: "possible",
  why: "A KL in the reward is charged token by token and summed backward into returns. Unless it is masked there, the policy pays for tokens that tools wrote, which it cannot change.",
  source: "THUDM/slime#1370",
  lesson: "06-agentic-pomdp",
  check: (s) => {
    const { reward, advantage } = s.rule;
    if ((reward.kl?.coef ?? 0) === 0) return inapplicable("no KL is in the reward");
    if (advantage.kind !== "returnToGo" && advantage.kind !== "gae") return clear;
    if (!s.has("multiTurn") || !s.canSet("multiTurn"))
      return unknown("whether answers have several turns is not in the configuration");
    if (!s.isOn("multiTurn")) return inapplicable("answers have one turn");
    return found(
      `${s.shown("estimator")} with ${s.shown("klRewardCoef")}, and ${s.shown("multiTurn")}`,
      s.either(
        [
          { setting: "klInReward", value: false },
          { setting: "klInLoss", value: true },
          { setting: "klLossCoef", value: reward.kl!.coef },
        ],
        [
          { setting: "klRewardCoef", value: 0 },
          { setting: "klInLoss", value: true },
          { setting: "klLossCoef", value: reward.kl!.coef },
        ],
      ),
      {
        advice: "charge the KL in the loss, which has the mask; or check that returns leave tool tokens out",
      },
    );
  },
};
