import assert from "node:assert/strict";
import { sharedSite } from "../support/builtSite.js";
import { patient } from "../support/patient.js";
import { testLinks } from "./linkTests.js";

describe("links in the site", function () {
  this.timeout(patient(120_000));
  const shared = sharedSite();

  // Each way on one screen; links.matrix tries all on both.
  testLinks(shared, "a laptop", ["documentation and exercises", "the first page"]);
  testLinks(shared, "a phone", ["the next lesson"]);

  it("leads nowhere that the site does not have, in any page that is read", async () => {
    const seen = new Set<string>();
    const { address } = shared().site;
    const wanted = [`${address}index.html`];
    const broken: string[] = [];
    for (let url = wanted.pop(); url !== undefined; url = wanted.pop()) {
      if (seen.has(url)) continue;
      seen.add(url);
      const answer = await fetch(url);
      await (answer.ok && /\.html$/.test(url) && /\/read\/|\/index\.html$/.test(url)
        ? answer.text().then((html) => {
            for (const [, href] of html.matchAll(/<a [^>]*?href="([^"#]+)[^"]*"/g)) {
              const next = new URL(href!.replaceAll("&amp;", "&"), url);
              if (next.href.startsWith(address) && !next.search) wanted.push(next.href);
              const path = next.searchParams.get("path");
              if (path !== null && next.href.startsWith(address)) wanted.push(`${address}files/${path}`);
            }
          })
        : answer.body?.cancel());
      if (!answer.ok) broken.push(url);
    }
    assert.deepEqual(broken, []);
    assert.ok(seen.size > 50, String(seen.size));
  });
});
