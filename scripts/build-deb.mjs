// Builds the Debian package of wm from the executable: the program, man pages, completions, documentation. No maintainer scripts.

import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import './man.mjs';

/** Node's own executable needs no more. */
const depends = 'libc6 (>= 2.28), libgcc-s1 (>= 3.4), libstdc++6 (>= 9)';
const completions = {
  bash: 'usr/share/bash-completion/completions/wm',
  zsh: 'usr/share/zsh/vendor-completions/_wm',
  fish: 'usr/share/fish/vendor_completions.d/wm.fish',
};

/** `root`: the clone. `executable`, `licences`: files. `work`: a new folder. Writes the package into `output`. */
export async function buildDeb({ root, executable, licences, work, output }) {
  const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));
  const doc = 'usr/share/doc/wm';
  const lastCommit = run('git', ['-C', root, 'log', '-1', '--format=%at']).trim();
  const date = new Date(Number(lastCommit) * 1000).toUTCString().replace('GMT', '+0000');
  // The project has no address. `.invalid` belongs to no one (RFC 2606).
  const maintainer = 'The authors of wm <wm@wm.invalid>';
  const program = await readFile(executable);
  const licence = await readFile(`${root}LICENSE`, 'utf8');
  const files = {
    'usr/bin/wm': program,
    'usr/share/lintian/overrides/wm': await readFile(`${root}scripts/executable/lintian-overrides`),
    [`${doc}/copyright`]: `${licence}\nThe executable has Node and npm packages inside: see third-party-licences.txt.gz.\n`,
    [`${doc}/third-party-licences.txt.gz`]: await readFile(licences),
    [`${doc}/NEWS.gz`]: await readFile(`${root}CHANGELOG.md`),
    [`${doc}/changelog.gz`]: `wm (${version}) unstable; urgency=medium\n\n  * See NEWS.gz.\n\n -- ${maintainer}  ${date}\n`,
    'DEBIAN/control': `Package: wm
Version: ${version}
Architecture: amd64
Maintainer: ${maintainer}
Installed-Size: ${Math.ceil(program.length / 1024)}
Depends: ${depends}
Section: utils
Priority: optional
Description: command line for a work-management service
 Tasks, webhooks and sign-in of a work-management service, a receiver of its
 deliveries, and an emulator of it. The program contains its own Node.
`,
  };
  for (const [shell, path] of Object.entries(completions))
    files[path] = run(executable, ['completion', shell]);
  for (const page of await readdir(`${root}man`))
    files[`usr/share/man/man1/${page}.gz`] = await readFile(`${root}man/${page}`);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(`${work}/${path}`), { recursive: true });
    // Without a date, and as small as Debian wants it.
    await writeFile(`${work}/${path}`, path.endsWith('.gz') ? gzipSync(content, { level: 9 }) : content);
  }
  run('chmod', ['-R', 'u=rwX,go=rX', work]);
  await chmod(`${work}/usr/bin/wm`, 0o755);
  const file = `${output}/wm_${version}_amd64.deb`;
  // Files as old as the commit, so that the same commit gives the same package.
  run('dpkg-deb', ['--root-owner-group', '--build', work, file], { SOURCE_DATE_EPOCH: lastCommit });
  await rm(work, { recursive: true });
}

/** In the folder of the caller. Returns what the program prints. */
export function run(command, words, environment = {}) {
  return execFileSync(command, words, {
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...process.env, ...environment },
  });
}
