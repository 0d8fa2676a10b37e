// Builds what the package has in dist/: the program, the library with its types, the licences of bundled code, and the list of
// components. In a folder of its own, since tests run the program of dist/ meanwhile.

import { readFile, writeFile } from 'node:fs/promises';
import { buildLibrary, buildProgram } from './build-program.mjs';
import { writeTypes } from './library-types.mjs';
import { formatBillOfMaterials, formatLicences, thirdParties } from './third-party.mjs';

/** Returns the folder. */
export async function buildPackage(root, target = `${root}build/package-dist`) {
  const manifest = JSON.parse(await readFile(`${root}package.json`, 'utf8'));
  const inputs = new Set([
    ...(await buildProgram(root, { minifyWhitespace: true, target })),
    ...(await buildLibrary(root, target)),
  ]);
  await writeTypes(root, `${target}/types`);
  const parties = await thirdParties(root, inputs, Object.keys(manifest.dependencies));
  await writeFile(`${target}/third-party-licences.txt`, formatLicences(parties));
  await writeFile(`${target}/sbom.cdx.json`, formatBillOfMaterials(manifest, parties));
  return target;
}
