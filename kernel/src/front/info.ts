import { readFileSync } from "node:fs";
import { join } from "node:path";
import { protocolVersion, type JsonObject } from "../protocol/message.js";

function packageVersion(name: string): string {
  const path =
    name === "turnwise-kernel"
      ? join(__dirname, "../../package.json")
      : require.resolve(`${name}/package.json`);
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
}

/** The content of a kernel_info_reply. */
export function kernelInfo(): JsonObject {
  const version = packageVersion("turnwise-kernel");
  const typescript = packageVersion("typescript");
  return {
    status: "ok",
    protocol_version: protocolVersion,
    implementation: "turnwise",
    implementation_version: version,
    language_info: {
      name: "typescript",
      version: typescript,
      mimetype: "text/typescript",
      file_extension: ".ts",
      pygments_lexer: "typescript",
      codemirror_mode: { name: "javascript", typescript: true },
      nbconvert_exporter: "script",
    },
    banner: `turnwise ${version}: TypeScript ${typescript} on Node.js ${process.version}`,
    debugger: true,
    supported_features: ["debugger"],
    help_links: [
      { text: "TypeScript handbook", url: "https://www.typescriptlang.org/docs/handbook/intro.html" },
      { text: "Node.js", url: "https://nodejs.org/docs/latest-v20.x/api/" },
      { text: "TensorFlow.js", url: "https://js.tensorflow.org/api/latest/" },
      { text: "Vega-Lite", url: "https://vega.github.io/vega-lite/docs/" },
    ],
  };
}
