export { dice, hiddenContexts, jackpot, slotMachine } from "./singleTurn";
export { guessOrLookUp, note } from "./toolUse";
export { differToWin, firstThenSecond, memoryless, nowOrLater, order } from "./twoTurn";
export { ladder } from "./ladder";
export { randomTree, type RandomTreeOptions } from "./randomTree";
