import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createRequire } from "node:module";
import { followLinks, pageOf } from "turnwise-site/internal/page/links";

// The links of a notebook's page, with stand-ins for a browser's document.

const base = "https://some.site/course/";
const load = createRequire(__filename);

describe("a link of the site", () => {
  const given = {
    document: Reflect.get(globalThis, "document"),
    location: Reflect.get(globalThis, "location"),
  };
  afterEach(() => void Object.assign(globalThis, given));

  /** Where a link leads once it is pointed at, in a browser whose reader has some files. */
  function page(own: readonly string[]): {
    pointAt: (href: string) => string;
    render: (path: string) => Promise<string>;
  } {
    const heard: ((event: { target: unknown }) => void)[] = [];
    Object.assign(globalThis, {
      location: { href: `${base}notebooks/index.html?path=a.ipynb` },
      document: {
        addEventListener: (kind: string, hear: (event: { target: unknown }) => void) =>
          kind === "pointerdown" && heard.push(hear),
      },
    });
    const drive = {
      ...{ storage: Promise.reject(new Error("not read")), get: assert.fail, save: assert.fail },
      getDownloadUrl: async (name: string) => {
        const at = own.indexOf(decodeURIComponent(name));
        return at >= 0 ? `blob:${base}${String(at)}` : `${base}files/${encodeURI(decodeURIComponent(name))}`;
      },
    };
    drive.storage.catch(() => undefined);
    followLinks(base, { has: (name) => own.includes(name) }, drive, () => Promise.resolve());
    return {
      render: (name) => drive.getDownloadUrl(name),
      pointAt: (href) => {
        const link = { href, target: "_blank", closest: () => link };
        for (const hear of heard) hear({ target: link });
        return link.href.replace(base, "");
      },
    };
  }

  it("leads to the reader's own file where the reader has one, and else to the site's page", async () => {
    const { pointAt, render } = page(["docs/grpo.md", "mine/README.md", "mine/own.ipynb", "mine/data.csv"]);
    const leads = async (name: string, hash = ""): Promise<string> =>
      pointAt((await render(encodeURIComponent(name))) + hash);
    assert.equal(await leads("docs/README.md", "#a"), "read/docs/README.html#a");
    assert.equal(await leads("docs/grpo.md"), "edit/index.html?path=docs/grpo.md");
    assert.equal(await leads("mine/README.md"), "edit/index.html?path=mine/README.md");
    assert.equal(await leads("mine/own.ipynb", "#b"), "notebooks/index.html?path=mine/own.ipynb#b");
    assert.equal(await leads("mine/data.csv"), `blob:3`);
    // A file that was made after the link was drawn.
    assert.equal(pointAt(`${base}files/docs/grpo.md`), "edit/index.html?path=docs/grpo.md");
    assert.equal(pointAt("https://elsewhere.org/README.md"), "https://elsewhere.org/README.md");
  });

  it("keeps every name whole: &, +, #, ?, % and spaces", () => {
    const { pointAt } = page([]);
    const strange = "a & b + c#d?e=f 100%.ipynb";
    for (const address of [pageOf(strange, false)!, pointAt(`${base}files/${encodeURIComponent(strange)}`)])
      assert.equal(new URL(address, base).searchParams.get("path"), strange);
    assert.equal(pageOf("docs/a+b?.md", false), "read/docs/a%2Bb%3F.html");
    // Not an escape: the "%" stands for itself.
    assert.equal(pointAt(`${base}files/100%.ipynb`), "notebooks/index.html?path=100%25.ipynb");
  });

  it("is in the pages that are read as in notebooks", () => {
    const { linkOf } = load("turnwise-site/builder/reading.cjs") as {
      linkOf(contents: string, name: string, href: string): string | undefined;
    };
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "turnwise-links-"));
    try {
      fs.mkdirSync(path.join(folder, "docs"));
      for (const name of ["R&D + 1.ipynb", "docs/A&B.md", "100%.csv"])
        fs.writeFileSync(path.join(folder, name), "");
      const links = {
        "../R%26D%20+%201.ipynb#x": "../../notebooks/index.html?path=R%26D%20%2B%201.ipynb#x",
        "A&B.md": "../../read/docs/A%26B.html",
        "../100%.csv": "../../files/100%25.csv",
        "not there.md": undefined,
        "https://a.b/?c&d": "https://a.b/?c&d",
      };
      for (const [href, to] of Object.entries(links))
        assert.equal(linkOf(folder, "docs/README.md", href), to, href);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});
