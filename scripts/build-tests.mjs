// Builds the test files, and defines their environment.

import { bundle } from './bundle.mjs';
import { withNatsServer } from './nats-server.mjs';
import { nodeTest } from './testing/run-files.mjs';

const runner = new URL('testing/run-files.mjs', import.meta.url).href;

/** Lets test files share a process. The runner itself is not bundled, because it starts a file beside it. */
const standIn = {
  name: 'node-test',
  setup(builder) {
    builder.onResolve({ filter: /^node:test$|\/testing\/run-files\.mjs$/ }, ({ path }) => {
      return { path: path === 'node:test' ? nodeTest : runner, external: true };
    });
  },
};

/** Builds the files, named below test/, into `folder` of the clone in `root`. Returns the names and the built paths. */
export async function buildTests(root, files, folder) {
  await bundle(root, {
    format: 'esm',
    splitting: true,
    packages: 'external',
    sourcemap: 'inline',
    plugins: [standIn],
    entryPoints: files.map((file) => `${root}test/${file}`),
    outbase: `${root}test`,
    outdir: `${root}${folder}`,
  });
  return files.map((file) => ({
    name: `test/${file}`,
    path: `${root}${folder}/${file.replace(/\.ts$/, '.js')}`,
  }));
}

/** Keeps the user's own sign-in from the tests and benchmarks. Their random values come from TEST_SEED. */
export function testEnvironment() {
  // ssh may bring a locale that this machine lacks, of which every bash would warn.
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:WM_.*|NODE_TEST_CONTEXT|LC_ALL)$/.test(name),
  );
  return withNatsServer({ ...Object.fromEntries(own), TEST_SEED: '1' });
}
