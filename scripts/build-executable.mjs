// npm run build:executable [SYSTEM...]: single executables of wm, with Node inside (docs/decisions/executable.md), the Debian package,
// their licences and their checksums, in build/executable/.

import { createHash } from 'node:crypto';
import { chmod, copyFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import Module, { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'postject';
import { buildDeb, run } from './build-deb.mjs';
import { buildPackage } from './build-package.mjs';
import { bundle } from './bundle.mjs';

const nodeVersion = '20.20.2';
const root = fileURLToPath(new URL('..', import.meta.url));
const finished = `${root}build/executable`;
/** Files are finished here, and then renamed one by one, so that each is always there as a whole. */
const output = `${finished}-new`;
const wanted = process.argv.slice(2);
const { packages: locked } = JSON.parse(await readFile(`${root}package-lock.json`, 'utf8'));

/** `sha512`: of Node's package on npm, as package-lock.json has it for the others. */
const targets = [
  {
    system: 'linux-x64',
    keyring: 'linux-x64-gnu',
    file: 'wm',
    sha512: 'PeHQM8wAdmHtZA1mBocygZxs5LiUWtsJezQTkBd0iY987KpGrD1O2tVEydvMZiuXceRanxt7rjTnDEBwOPujoQ==',
  },
  {
    system: 'win-x64',
    keyring: 'win32-x64-msvc',
    file: 'wm.exe',
    sha512: 'JCwLL25UBIyiXLXUN6dfb/AMZTBtV5LUugV+DpurEn3uAM/GKm7Z/rgR4aV5Z76UHSbzK4n43ox6GTvsOAoNxA==',
  },
  {
    system: 'linux-arm64',
    keyring: 'linux-arm64-gnu',
    file: 'linux-arm64/wm',
    sha512: 'LCXJnNTFiyGuYBw2gZSI5OBFMbkjAPt8sqD/NKrWoE2QmDgSubTqFng6GaNJ9EJ8HpxBMGcWWpbbcs4Vo+CnGg==',
  },
];

const chosen = targets.filter(({ system }) => wanted.length === 0 || wanted.includes(system));
const work = `${finished}-work`;
process.stdout.write('Building the executables takes a minute and a half, and longer on a busy machine.\n');
await rm(work, { recursive: true, force: true });
await rm(output, { recursive: true, force: true });
await mkdir(work, { recursive: true });
await mkdir(`${output}/linux-arm64`, { recursive: true });
const dist = await buildPackage(root);
const licences = [await readFile(`${dist}/third-party-licences.txt`, 'utf8')];
const [here] = targets;
const host = await unpackPackage(`node-${here.system}`, nodeVersion, here.sha512);
const node = `${host}/bin/node`;
await cp(`${root}bin`, `${work}/bin`, { recursive: true });
await cp(dist, `${work}/dist`, { recursive: true });
// V8 takes compiled code only of its own version, on its own system: the others compile as they run.
run(node, [`${root}scripts/compile.cjs`, work]);
for (const target of chosen) await buildExecutable(target);
licences.push(await readFile(`${host}/LICENSE`, 'utf8'));
const texts = `${output}/third-party-licences.txt`;
await writeFile(texts, licences.join(`\n${'='.repeat(80)}\n\n`));
if (chosen.includes(here))
  await buildDeb({
    root,
    executable: `${output}/${here.file}`,
    licences: texts,
    work: `${work}/deb`,
    output,
  });
const list = 'cd "$0" && find * -type f ! -name SHA256SUMS | LC_ALL=C sort | xargs sha256sum > SHA256SUMS';
run('sh', ['-c', list, output]);
await rm(work, { recursive: true });
const filesIn = async (folder) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
const built = await filesIn(output);
for (const file of built) {
  await mkdir(dirname(join(finished, file)), { recursive: true });
  await rename(join(output, file), join(finished, file));
}
// Of an earlier build, such as the package of another version.
for (const file of await filesIn(finished)) if (!built.includes(file)) await rm(join(finished, file));
await rm(output, { recursive: true });
process.stdout.write(`Built in ${Math.round(performance.now() / 1000)} s: ${finished}\n`);

async function buildExecutable({ system, keyring, file, sha512 }) {
  const folder = `${work}/${system}`;
  await mkdir(folder);
  const isHost = system === here.system;
  const nodeFolder = isHost ? host : await unpackPackage(`node-${system}`, nodeVersion, sha512);
  const assets = await gatherAssets(folder, system, keyring, isHost);
  await writeFile(
    `${folder}/sea.json`,
    JSON.stringify({
      main: `${folder}/executable.cjs`,
      output: `${folder}/blob`,
      disableExperimentalSEAWarning: true,
      assets,
    }),
  );
  // Another version of Node would write another form.
  run(node, ['--experimental-sea-config', `${folder}/sea.json`]);
  await copyFile(`${nodeFolder}/bin/${system === 'win-x64' ? 'node.exe' : 'node'}`, `${folder}/wm`);
  await inject(`${folder}/wm`, 'NODE_SEA_BLOB', await readFile(`${folder}/blob`), {
    sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
  });
  await chmod(`${folder}/wm`, 0o755);
  await rename(`${folder}/wm`, `${output}/${file}`);
}

/** The parts, their compiled code, jq and the native libraries, by the names that main.cjs and src/world/jq.ts read. */
async function gatherAssets(folder, system, keyring, isHost) {
  const assets = {};
  const add = async (name, bytes) => {
    assets[name] = `${folder}/${name}`;
    await writeFile(assets[name], bytes, 'latin1');
    return name;
  };
  const addNative = async (name, path) => {
    const bytes = await readFile(path);
    const hash = createHash('sha256').update(bytes).digest('hex');
    return add(`${name}-${hash.slice(0, 32)}.node`, bytes);
  };
  const platform = system.replace('win', 'win32');
  const keyringFolder = await unpackPackage(`@napi-rs/keyring-${keyring}`);
  const lockFolder = `${root}node_modules/fs-native-extensions`;
  const native = {
    '@napi-rs/keyring': await addNative('keyring', `${keyringFolder}/keyring.${keyring}.node`),
    './binding': await addNative('locks', `${lockFolder}/prebuilds/${platform}/fs-native-extensions.node`),
  };
  await bundle(root, {
    // Its own loader would search folders.
    external: ['./binding'],
    entryPoints: [createRequire(import.meta.url).resolve('fs-native-extensions')],
    format: 'cjs',
    outfile: `${folder}/fs-native-extensions.js`,
  });
  await add(
    'fs-native-extensions.cjs',
    Module.wrap(await readFile(`${folder}/fs-native-extensions.js`, 'latin1')),
  );
  const compiled = [];
  for (const name of await readdir(`${work}/dist`)) {
    const read = () => readFile(`${work}/dist/${name}`, 'latin1');
    // A thread gets its script as it is.
    if (name === 'jq-worker.cjs' || name.endsWith('.wasm')) await add(name, await read());
    else if (name.endsWith('.cjs')) await add(name, Module.wrap(await read()));
    else if (name.endsWith('.cache') && isHost) compiled.push(await add(name, await read()));
  }
  await bundle(root, {
    entryPoints: [`${root}scripts/executable/main.cjs`],
    format: 'cjs',
    outfile: `${folder}/executable.cjs`,
    define: {
      NATIVE_FILES: JSON.stringify(native),
      COMPILED_FILES: JSON.stringify(compiled),
    },
  });
  return assets;
}

/** The folder of a package, whose version and checksum package-lock.json has, or this script. npm keeps it in its own cache. */
async function unpackPackage(name, version, sha512) {
  const pinned = locked[`node_modules/${name}`] ?? { version, integrity: `sha512-${sha512}` };
  const [{ filename }] = JSON.parse(
    run('npm', ['pack', '--json', '--pack-destination', work, `${name}@${pinned.version}`]),
  );
  const archive = await readFile(`${work}/${filename}`);
  const found = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  if (found !== pinned.integrity) throw new Error(`${filename} is not the package that wm was tested with`);
  const folder = `${work}/${filename}.unpacked`;
  await mkdir(folder);
  run('tar', ['-xzf', `${work}/${filename}`, '-C', folder]);
  return `${folder}/package`;
}
