import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** A package to serve: its manifest, and the texts of its files by their names. */
export interface Published {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly types?: string;
  readonly "index.js"?: string;
  readonly "index.d.ts"?: string;
}

/** A registry of npm on this machine, with these packages alone; `folder` is for its archives. */
export async function startRegistry(
  folder: string,
  packages: readonly Published[],
): Promise<{ url: string; close(): void }> {
  const archives = new Map<string, Buffer>();
  const documents = new Map<string, { versions: Record<string, object>; "dist-tags": { latest: string } }>();
  const server = createServer(({ url = "" }, response) => {
    const path = decodeURIComponent(url.slice(1));
    const found =
      archives.get(path) ?? (documents.has(path) ? JSON.stringify(documents.get(path)) : undefined);
    response.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(found ?? "{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  for (const [i, { "index.js": code, "index.d.ts": types, ...manifest }] of packages.entries()) {
    const at = join(folder, String(i));
    mkdirSync(join(at, "package"), { recursive: true });
    writeFileSync(join(at, "package", "package.json"), JSON.stringify(manifest));
    if (code !== undefined) writeFileSync(join(at, "package", "index.js"), code);
    if (types !== undefined) writeFileSync(join(at, "package", "index.d.ts"), types);
    execFileSync("tar", ["-czf", join(at, "package.tgz"), "-C", at, "package"]);
    const archive = readFileSync(join(at, "package.tgz"));
    const { name, version } = manifest;
    archives.set(`${name}-${version}.tgz`, archive);
    const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
    const dist = { tarball: `${url}${name}-${version}.tgz`, integrity };
    const versions = { ...documents.get(name)?.versions, [version]: { ...manifest, dist } };
    documents.set(name, Object.assign({ name, versions }, { "dist-tags": { latest: version } }));
  }
  return {
    url,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
