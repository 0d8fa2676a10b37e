// Describes the bundled packages: their licences as a text, and a list of components (CycloneDX) for users who must know what they
// install. Both come from the inputs of the bundles.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the packages of these input files, and the ones that npm installs, each with its manifest and its licence. */
export async function thirdParties(root, inputs, installed) {
  const folders = new Set(
    [...inputs]
      .map((input) => /(?<=^|:|\/)node_modules\/(?:@[^/]+\/)?[^/]+(?!.*node_modules)/.exec(input)?.[0])
      .filter((folder) => folder !== undefined),
  );
  for (const name of installed) folders.add(`node_modules/${name}`);
  const parties = await Promise.all([...folders].map((folder) => describe(root, folder, installed)));
  return parties.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function describe(root, folder, installed) {
  const { name, version, license } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
  const file = (await readdir(join(root, folder))).find((name) => /^(?:licen[cs]e|copying)/i.test(name));
  const text = file === undefined ? undefined : await readFile(join(root, folder, file), 'utf8');
  return { name, version, license, text, isBundled: !installed.includes(name) };
}

export function formatLicences(parties) {
  const parts = parties
    .filter(({ isBundled }) => isBundled)
    .map(({ name, version, license, text }) =>
      [`${name} ${version} (${license})`, '', text?.trim() ?? `Licence: ${license}`].join('\n'),
    );
  const line = `\n\n${'-'.repeat(80)}\n\n`;
  return `wm contains the code of these packages.${line}${parts.join(line)}\n`;
}

/** Contains no date or random number: the same build gives the same file. */
export function formatBillOfMaterials(manifest, parties) {
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: describeComponent('application', manifest) },
    components: parties.map((party) => ({
      ...describeComponent('library', party),
      properties: [{ name: 'wm:bundled', value: String(party.isBundled) }],
    })),
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

function describeComponent(type, { name, version, license }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { type, 'bom-ref': purl, name, version, purl, licenses: [{ license: { id: license } }] };
}
