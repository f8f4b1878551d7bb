export { bankClaims, nextStateClaims, omissionClaims, skillClaims } from "./enumerated/claims";
export { drawMemoryBank, drawNextStates, drawOmission, drawSkills } from "./enumerated/draw";
