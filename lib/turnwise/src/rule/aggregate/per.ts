import { oneOf } from "../../schema";

export const per = oneOf(["batch", "turn"], {
  help: "Count over the whole batch, or each turn index by itself.",
});
