import { describeDecks, lessons } from "./decks.js";

describeDecks("the decks of slides of every lesson", lessons);
