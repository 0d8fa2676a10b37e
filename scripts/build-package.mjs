// Runs before npm packs: adds to dist/ what only the package needs, the library with its types, the licences of bundled code, and
// the list of components.

import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildLibrary, buildProgram } from './build-program.mjs';
import { writeTypes } from './library-types.mjs';
import { formatBillOfMaterials, formatLicences, thirdParties } from './third-party.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(await readFile(`${root}package.json`, 'utf8'));

const inputs = new Set([
  ...(await buildProgram(root, { minifyWhitespace: true })),
  ...(await buildLibrary(root)),
]);
await writeTypes(root, `${root}dist/types`);
const parties = await thirdParties(root, inputs, Object.keys(manifest.dependencies));
await writeFile(`${root}dist/third-party-licences.txt`, formatLicences(parties));
await writeFile(`${root}dist/sbom.cdx.json`, formatBillOfMaterials(manifest, parties));
