import { sharedSite } from "../support/builtSite.js";
import { patient } from "../support/patient.js";
import { testLinks, ways } from "./linkTests.js";

describe("links in the site, every way on both screens", function () {
  this.timeout(patient(120_000));
  const shared = sharedSite();
  testLinks(shared, "a laptop", ways);
  testLinks(shared, "a phone", ways);
});
