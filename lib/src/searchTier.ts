// The tier turnwise/search. It stands beside the rooms, since what thinks ahead is spread over several floors of them.

export { countSteps, type StepCounter } from "./search/stepCounter";
