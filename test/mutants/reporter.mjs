// Ends a run of Stryker with what lived, and with the rows of the table.
import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin";
import { describeLived, mutantsOf, table } from "./summary.mjs";

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Reporter, "summary", {
    onMutationTestReportReady(report) {
      const mutants = mutantsOf(report);
      console.log(`${describeLived(mutants)}\n\n${table(mutants)}\n`);
    },
  }),
];
