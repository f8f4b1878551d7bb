import { dirname } from "node:path";
import { startupSnapshot } from "node:v8";
import { warmUpImports } from "./known-entry-points.js";
import { LanguageServiceEngine } from "./language-service.js";
import { move } from "./move.js";
import { forgetTexts, letLibrariesSleep, libraries } from "./registry.js";
import { found } from "./resolutions.js";
import { useNode } from "./node-host.js";
import { serve } from "./serve.js";
import { transformCell } from "./transform/cell.js";
import { askUsual } from "./usual.js";
import { letNamesStandAlone } from "./whole-texts.js";

useNode();

// The process of the type service. A startup snapshot holds it with TypeScript loaded and the libraries read:
// snapshot.ts makes one, front/type-service.ts starts from it where there is one.
if (startupSnapshot.isBuildingSnapshot()) {
  const folder = dirname(dirname(__dirname));
  const engine = new LanguageServiceEngine(folder, {});
  // Notebooks import the packages that ask for it. Without any (an installed kernel), only the standard libraries are read.
  // All that is asked is compiled in the snapshot, so that the first cells need not wait for that.
  const imports = warmUpImports(folder);
  for (const code of [imports, "const a: number[] = [1]; a.length", "[1].map(String)"]) {
    engine.check(code);
    engine.commit(code);
    transformCell(code, "cell.ts");
  }
  engine.inspect("a", 1);
  engine.close();
  letLibrariesSleep();
  // What most cells use wakes again: the first of them need not wait for it.
  const second = new LanguageServiceEngine(folder, {});
  askUsual(second);
  second.close();
  forgetTexts();
  letNamesStandAlone([libraries, found]);
  const build = dirname(__dirname);
  startupSnapshot.setDeserializeMainFunction(() => {
    if (process.argv[2] !== build) move(build, process.argv[2]!);
    serve(process.argv[1]!, true);
  });
} else {
  serve(process.argv[2]!, false);
}
