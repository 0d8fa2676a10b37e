// Builds the Debian package of wm from the executable: the program, man pages, completions, documentation. No maintainer scripts.

import { execFileSync } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
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

/** `root`: the clone. `executable`, `licences`: files. `work`: a new folder. Returns the file in `output`. */
export async function buildDeb({ root, executable, licences, work, output }) {
  const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));
  const put = async (path, content) => {
    await mkdir(dirname(`${work}/${path}`), { recursive: true });
    // Without a date, and as small as Debian wants it.
    const bytes = path.endsWith('.gz') ? gzipSync(content, { level: 9 }) : content;
    await writeFile(`${work}/${path}`, bytes);
  };
  const doc = 'usr/share/doc/wm';
  const lastCommit = run('git', ['-C', root, 'log', '-1', '--format=%at']).trim();
  const date = new Date(Number(lastCommit) * 1000).toUTCString().replace('GMT', '+0000');
  // The project has no address. `.invalid` belongs to no one (RFC 2606).
  const maintainer = 'The authors of wm <wm@wm.invalid>';

  await mkdir(`${work}/usr/bin`, { recursive: true });
  await copyFile(executable, `${work}/usr/bin/wm`);
  for (const [shell, path] of Object.entries(completions))
    await put(path, run(executable, ['completion', shell]));
  for (const page of await readdir(`${root}man`))
    await put(`usr/share/man/man1/${page}.gz`, await readFile(`${root}man/${page}`));
  const licence = await readFile(`${root}LICENSE`, 'utf8');
  await put(
    `${doc}/copyright`,
    `${licence}\nThe executable has Node and npm packages inside: see third-party-licences.txt.gz.\n`,
  );
  await put(`${doc}/third-party-licences.txt.gz`, await readFile(licences));
  await put(`${doc}/NEWS.gz`, await readFile(`${root}CHANGELOG.md`));
  await put(
    `${doc}/changelog.gz`,
    `wm (${version}) unstable; urgency=medium\n\n  * See NEWS.gz.\n\n -- ${maintainer}  ${date}\n`,
  );
  await put('usr/share/lintian/overrides/wm', await readFile(`${root}scripts/executable/lintian-overrides`));
  const { size } = await stat(executable);
  await put(
    'DEBIAN/control',
    `Package: wm
Version: ${version}
Architecture: amd64
Maintainer: ${maintainer}
Installed-Size: ${Math.ceil(size / 1024)}
Depends: ${depends}
Section: utils
Priority: optional
Description: command line for a work-management service
 Tasks, webhooks and sign-in of a work-management service, a receiver of its
 deliveries, and an emulator of it. The program contains its own Node.
`,
  );
  run('chmod', ['-R', 'u=rwX,go=rX', work]);
  await chmod(`${work}/usr/bin/wm`, 0o755);
  const file = `${output}/wm_${version}_amd64.deb`;
  // Files as old as the commit, so that the same commit gives the same package.
  run('dpkg-deb', ['--root-owner-group', '--build', work, file], { SOURCE_DATE_EPOCH: lastCommit });
  await rm(work, { recursive: true });
  return file;
}

/** In the folder of the caller. Returns what the program prints. */
export function run(command, words, environment = {}) {
  return execFileSync(command, words, {
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...process.env, ...environment },
  });
}
