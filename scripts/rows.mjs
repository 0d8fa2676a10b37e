// npm run rows: writes the table of the assumptions and the tests that show them into docs/contract-tests.md.

import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { findShown } from './rows/find-shown.mjs';
import { withRows } from './rows/format-rows.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { outputFiles } = await build({
  entryPoints: [`${root}test/witness/assumption-tests.ts`],
  format: 'esm',
  write: false,
});
const [{ text }] = outputFiles;
const { assumptionTests } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
const path = `${root}docs/contract-tests.md`;
const tests = [...assumptionTests, ...(await findShown(root))];
await writeFile(path, withRows(await readFile(path, 'utf8'), tests));
