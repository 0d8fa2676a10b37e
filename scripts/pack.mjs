// npm run pack [FOLDER]: packs wm-cli-VERSION.tgz, the package that users get. Its package.json has what a user's npm needs,
// without the project's own scripts.

import { spawnSync } from 'node:child_process';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildPackage } from './build-package.mjs';
import './man.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}build/package`;
const ofTheProject = ['imports', 'scripts', 'devDependencies', 'overrides', 'directories'];
const manifest = JSON.parse(await readFile(`${root}package.json`, 'utf8'));

await rm(folder, { recursive: true, force: true });
const named = manifest.files.filter((path) => !path.startsWith('!'));
const dist = await buildPackage(root);
for (const path of [...named, 'README.md', 'LICENSE'])
  await cp(path === 'dist' ? dist : `${root}${path}`, `${folder}/${path}`, { recursive: true });
// npm links only man pages that are listed one by one.
const packed = {
  ...Object.fromEntries(Object.entries(manifest).filter(([name]) => !ofTheProject.includes(name))),
  man: (await readdir(`${root}man`)).map((page) => `man/${page}`),
};
await writeFile(`${folder}/package.json`, `${JSON.stringify(packed, undefined, 2)}\n`);
const { status } = spawnSync('npm', ['pack', '--pack-destination', process.argv[2] ?? root, folder], {
  cwd: root,
  stdio: 'inherit',
  // npm is a batch file there.
  shell: process.platform === 'win32',
});
process.exitCode = status ?? 1;
