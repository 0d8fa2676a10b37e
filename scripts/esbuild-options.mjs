// What the build of the program and the build of the tests share.

import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';

/** Native, or finding files beside themselves: these stay where npm put them. */
const external = ['@napi-rs/keyring', 'fs-native-extensions', 'open', 'write-file-atomic'];

/**
 * CommonJS packages ask for Node's own modules with `require`, which an ES module does not have. Making one with
 * `createRequire` costs every start; an import in its place costs nothing.
 */
const builtinRequires = {
  name: 'builtin-requires',
  setup(build) {
    const builtin = new Set(builtinModules);
    build.onResolve({ filter: /./ }, ({ kind, path }) => {
      const name = path.replace(/^node:/, '');
      return kind === 'require-call' && builtin.has(name) ? { path: name, namespace: 'builtin' } : undefined;
    });
    build.onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `import module_ from 'node:${path}'; module.exports = module_;`,
      loader: 'js',
    }));
  },
};

export async function options(root) {
  const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));
  return {
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external,
    plugins: [builtinRequires],
    define: { WM_VERSION: JSON.stringify(version) },
    logLevel: 'warning',
    legalComments: 'none',
  };
}
