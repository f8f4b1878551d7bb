// A file of its own, since sessions need it and must not load TypeScript.

/** Advice for a specifier that Deno would import; undefined for one that Node knows. */
export function foreignSpecifier(specifier: string): string | undefined {
  const [, scheme, rest = ""] = /^(npm|jsr|https?):\/?(.*)$/.exec(specifier) ?? [];
  if (scheme === undefined) return undefined;
  if (scheme !== "npm") return `it must be a package of npm or a file: "${scheme}:" is known to Deno alone`;
  const [, name = rest, version = ""] = /^((?:@[^/@]+\/)?[^/@]+)(@[^/]+)?/.exec(rest) ?? [];
  return `it must be installed and imported by its name: %install ${name}${version}, and then from "${name}"`;
}
