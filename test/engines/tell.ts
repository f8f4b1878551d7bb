import { digests } from "./digests.js";

// node tell.js COUNT: prints the digests of the Node that runs it.
digests(Number(process.argv[2])).then(
  (own) => {
    console.log(JSON.stringify(own));
  },
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
