// Builds the core's unit tests apart from the addon and runs them: node tools/test-core.mjs [address|undefined|thread]
// With a sanitizer named, everything is built with it. Warnings are errors here.
import { spawnSync } from "node:child_process";

const sanitizer = process.argv[2] ?? "";
const folder = `build/core${sanitizer === "" ? "" : `-${sanitizer}`}`;
const type = sanitizer === "" ? "Release" : "RelWithDebInfo";

function run(command, ...args) {
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

run(
  "cmake",
  ...["-S", ".", "-B", folder, `-DCMAKE_BUILD_TYPE=${type}`, "-DPALIMPSEST_TESTS=ON", "-DPALIMPSEST_WERROR=ON"],
  `-DPALIMPSEST_SANITIZE=${sanitizer}`,
);
run("cmake", "--build", folder, "-j2");
// The tests are declared in the subfolder.
run("ctest", "-j2", "--test-dir", `${folder}/native`, "--output-on-failure", "--no-tests=error");
