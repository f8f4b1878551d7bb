export { drawBesideOurs } from "./drawBesideOurs";
export { drawWhatFollows } from "./drawWhatFollows";
export { drawWhatSurvives } from "./drawWhatSurvives";
