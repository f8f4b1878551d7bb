import { describePublished } from "./publishedPackages.js";

describePublished("the published packages, with all that they need from the registry");
