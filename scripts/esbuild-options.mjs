// The options that the builds of the program and of the tests share.

import { readFile } from 'node:fs/promises';

/** Native packages stay where npm installed them. */
const external = ['@napi-rs/keyring', 'fs-native-extensions'];

export async function options(root) {
  const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));
  return {
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    external,
    define: { WM_VERSION: JSON.stringify(version) },
    logLevel: 'warning',
    legalComments: 'none',
  };
}
