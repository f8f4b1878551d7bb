import { stepReward } from "./contract";

export const evidence = stepReward({
  help: "By how many nats a turn before the last makes the true answer likelier to the policy itself, for an advantage that compares turns.",
  equation: String.raw`s_t=\ell(h_{t+1})-\ell(h_t),\quad\ell(h)=\tfrac1{|g|}\sum_l\log\pi(g_l\mid h,g_{<l})`,
  source:
    "A²TGPO, arXiv 2605.06200, Figure 2; the authors' verl/trainer/ppo/ray_trainer.py:1539, as copied into github.com/manavsehgal/ai-field-notes at f68990d",
  fields: {},
  label: () => ["evidence"],
  paid: false,
});
