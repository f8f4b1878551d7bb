export { bankClaims } from "./enumerated/bankClaims";
export { nextStateClaims } from "./enumerated/nextStateClaims";
export { omissionClaims } from "./enumerated/omissionClaims";
export { skillClaims } from "./enumerated/skillClaims";
export { drawMemoryBank, drawNextStates, drawOmission, drawSkills } from "./enumerated/draw";
