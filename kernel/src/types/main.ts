import { dirname, resolve } from "node:path";
import { startupSnapshot } from "node:v8";
import { LanguageServiceEngine } from "./language-service.js";
import { serve } from "./serve.js";

// The process of the type service. A startup snapshot holds it with TypeScript loaded and the libraries read:
// snapshot.ts makes one, front/type-service.ts starts from it where there is one.
if (startupSnapshot.isBuildingSnapshot()) {
  const engine = new LanguageServiceEngine(resolve(dirname(dirname(__dirname))), {});
  // Most notebooks import the library. Where there is none (an installed kernel), only the standard libraries are read.
  engine.check('import "turnwise"; [1].map(String)');
  engine.close();
  startupSnapshot.setDeserializeMainFunction(() => serve(process.argv[1]!, true));
} else {
  serve(process.argv[2]!, false);
}
