// The programs of others that this folder installs for itself (test/openapi/package.json).

import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export const folder = resolve('test/openapi');
const { resolve: find } = createRequire(`${folder}/package.json`);

// biome-ignore lint/suspicious/noExplicitAny: their types are installed for this folder alone
export async function load(name: string): Promise<any> {
  return import(pathToFileURL(find(name)).href);
}

/** Prints what was tried, with versions and counts: `npm run test:openapi` is read by people too. */
export function print(line: string): void {
  process.stdout.write(`         ${line}\n`);
}
