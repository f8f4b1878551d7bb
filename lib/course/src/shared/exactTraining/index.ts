export { exactTraining } from "./exactTraining";
export { drawPath } from "./drawPath";
export { drawReturn } from "./drawReturn";
