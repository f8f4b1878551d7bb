import { describePublished, linkPackages } from "./publishedPackages.js";

// With the packages of the checkout beside them, of which npm unpacks only what does not fit; pack.matrix.test.ts installs all.
describePublished("the published packages", linkPackages);
