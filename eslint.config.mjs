import js from "@eslint/js";
import tseslint from "typescript-eslint";

const unseeded = "Draw from an Rng (lib/src/tensor/rng.ts): unseeded randomness breaks reproducible runs";

export default tseslint.config(
  {
    ignores: [
      "**/dist/",
      "build/",
      ".venv/",
      ".turnwise/",
      "**/.ipynb_checkpoints/",
      "lib/vendor/tfjs-gradients/index.js",
      // AssemblyScript: another language in the same clothes, checked by its compiler.
      "lib/wasm/*.ts",
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.strict,
  ...tseslint.configs.stylistic,
  {
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/explicit-module-boundary-types": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
  {
    files: ["lib/src/**/*.ts"],
    rules: {
      "no-restricted-properties": [
        "error",
        { object: "Math", property: "random", message: unseeded },
        ...["multinomial", "randomNormal", "randomUniform", "truncatedNormal", "dropout"].map((property) => ({
          object: "tf",
          property,
          message: unseeded,
        })),
      ],
      "no-restricted-imports": [
        "error",
        {
          patterns: [{ group: ["turnwise-kernel", "**/kernel/**"], message: "lib/ must not import kernel/" }],
        },
      ],
    },
  },
  {
    files: ["kernel/src/{session,display,widgets,help}/**/*.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          paths: ["node:async_hooks", "async_hooks"].map((name) => ({
            name,
            message:
              "On Node 20 and 22 the session aborts when V8 terminates a cell while async_hooks are in use",
          })),
        },
      ],
    },
  },
  {
    files: ["**/*.cjs", "**/*.mjs", "lib/vendor/**/*.js"],
    languageOptions: {
      globals: Object.fromEntries(
        [
          "require",
          "module",
          "exports",
          "process",
          "console",
          "__dirname",
          "__filename",
          "fetch",
          "URL",
          "Buffer",
          "setTimeout",
          "clearTimeout",
          "setInterval",
          "clearInterval",
        ].map((name) => [name, "readonly"]),
      ),
    },
    rules: {
      "@typescript-eslint/no-require-imports": "off",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", caughtErrorsIgnorePattern: "^_" },
      ],
    },
  },
  {
    files: ["kernel/labextension/**/*.js"],
    languageOptions: {
      globals: Object.fromEntries(
        [
          "window",
          "document",
          "getComputedStyle",
          "requestAnimationFrame",
          "cancelAnimationFrame",
          "Image",
        ].map((name) => [name, "readonly"]),
      ),
    },
  },
);
