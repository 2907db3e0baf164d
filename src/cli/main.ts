// Entry of the command line, bundled to dist/cli/palimpsest.js.
// Runs the program and turns whatever happens into an exit code.
import { report } from "./exit.js";
import { program } from "./program.js";

// A reader that goes away, such as `head`, ends the work quietly.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

try {
  await program().parseAsync(process.argv);
} catch (error) {
  process.exitCode = report(error);
}
