// A file of its own, since sessions need it and must not load TypeScript.

/** Packages of npm that do what modules of deno.land/x do, where the names differ; an empty one is a package of the same name. */
const ofThirdParties: Readonly<Record<string, string>> = {
  bcrypt: "bcryptjs",
  canvas: "@napi-rs/canvas",
  cheerio: "",
  dax: "dax-sh",
  date_fns: "date-fns",
  dayjs: "",
  deno_dom: "linkedom",
  deno_lodash: "lodash",
  denomailer: "nodemailer",
  djwt: "jose",
  dotenv: "",
  duckdb: "@duckdb/node-api",
  esbuild: "",
  eta: "",
  grammy: "",
  hono: "",
  imagescript: "",
  immer: "",
  langchain: "",
  lodash: "",
  marked: "",
  mongo: "mongodb",
  mysql: "mysql2",
  nanoid: "",
  openai: "",
  polars: "nodejs-polars",
  postgres: "pg",
  postgresjs: "postgres",
  puppeteer: "",
  ramda: "",
  redis: "",
  rxjs: "",
  sheetjs: "xlsx",
  skia_canvas: "skia-canvas",
  sqlite: "better-sqlite3",
  sqlite3: "better-sqlite3",
  supabase: "@supabase/supabase-js",
  ts_morph: "ts-morph",
  zod: "",
};

/** Parts of Node that do what modules of Deno's standard library do. */
const ofNode: Readonly<Record<string, string>> = {
  assert: "node:assert/strict",
  async: "node:timers/promises",
  bytes: "Buffer",
  cli: "parseArgs of node:util",
  crypto: "node:crypto",
  dotenv: 'process.loadEnvFile(".env")',
  encoding: "Buffer",
  flags: "parseArgs of node:util",
  fs: "node:fs/promises",
  http: "node:http",
  io: "node:stream",
  path: "node:path",
  streams: "node:stream",
  testing: "node:test",
  uuid: "crypto.randomUUID()",
};

/** Packages of npm that do what those of JSR do, which need Deno or a registry that may not be reached. */
const ofJsr: Readonly<Record<string, string>> = {
  "@b-fuze/deno-dom": "linkedom",
  "@db/postgres": "pg",
  "@db/redis": "redis",
  "@db/sqlite": "better-sqlite3",
  "@gfx/canvas": "@napi-rs/canvas",
  "@hono/hono": "hono",
  "@openai/openai": "openai",
  "@supabase/supabase-js": "@supabase/supabase-js",
  "@vega/vega-lite-api": "vega-lite-api",
  "@zod/zod": "zod",
};

/** Package of npm to use in place of a module of deno.land/x; undefined where none is known. */
export function packageFor(name: string): string | undefined {
  if (!Object.hasOwn(ofThirdParties, name)) return undefined;
  const other = ofThirdParties[name]!;
  return other === "" ? name : other;
}

/** Package of npm to use in place of one of JSR; undefined where none is known. */
export const npmFor = (name: string): string | undefined =>
  Object.hasOwn(ofJsr, name) ? ofJsr[name] : undefined;

/** Part of Node to use in place of a module of Deno's standard library; undefined if there is none. */
export const nodeFor = (name: string): string | undefined =>
  Object.hasOwn(ofNode, name) ? ofNode[name] : undefined;
