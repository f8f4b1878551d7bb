export { reportCard } from "./reportCard";
export { reportCardJob, storedCard } from "./stored";
