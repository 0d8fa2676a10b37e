// The executable and the Debian package as people without Node get them: in Debian's smallest system, against the emulator inside
// them. `npm run build:executable` made them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { version } from '#version.ts';
import { startCluster } from '../sink/nats-cluster.ts';
import { type BareRoot, createBareRoot, type Ended } from './bare-root.ts';

const built = resolve('build/executable');
const deb = join(built, `wm_${version}_amd64.deb`);
const task = 'IEAAAAAQKQAB5BNG';

const isFound = (program: string) => spawnSync('sh', ['-c', 'command -v "$0"', program]).status === 0;
const skip = process.getuid?.() !== 0 && 'chroot needs root';

let root: BareRoot;

before(async () => {
  if (skip) return;
  root = await createBareRoot();
  await copyFile(join(built, 'wm'), join(root.path, 'usr/local/bin/wm'));
});

after(() => (skip ? undefined : root.remove()));

function held(ended: Ended): string {
  assert.equal(ended.status, 0, `${ended.output}${ended.errors}`);
  return ended.output;
}

test('runs without Node, and says how it was installed', { skip }, async () => {
  assert.equal((await root.run('command -v node npm')).status, 1);
  assert.equal(held(await root.run('wm --version; wm version')), `${version}\n${version}\n`);
  assert.match(held(await root.run('wm --help')), /^Usage: wm COMMAND/m);
  const described = JSON.parse(held(await root.run('ln -s /usr/local/bin/wm w; ./w version --json')));
  const installation = { installation: 'executable', path: '/usr/local/bin/wm' };
  assert.deepEqual(described, { version, ...installation, node: '20.20.2', platform: 'linux' });
});

test('sign-in by callback, update, a signed delivery, suspend: the demo', { skip }, async () => {
  assert.match(held(await root.run('wm demo')), /^Everything worked\./m);
});

/** What a person does on the consent page. */
async function pressAllow(address: string): Promise<void> {
  const html = await (await fetch(address)).text();
  const attribute = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
  const plain = (text: string) =>
    text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"');
  const [form = ''] = /<form[^>]*>/.exec(html) ?? [];
  const [button = ''] = /<button[^>]*>\s*Allow\s*<\/button>/.exec(html) ?? [];
  const tags = [...html.matchAll(/<input[^>]*>/g)].map(([tag]) => tag);
  const filled = tags.filter((tag) => /type="hidden"|\schecked\b/.test(tag));
  const body = new URLSearchParams();
  for (const tag of [...filled, button])
    body.append(plain(attribute(tag, 'name')), plain(attribute(tag, 'value')));
  const allowed = await fetch(new URL(plain(attribute(form, 'action')), address), { method: 'POST', body });
  assert.equal(allowed.status, 200, await allowed.text());
}

/** A person's jobs, in a shell that is not signed in to the emulator. */
const jobs = `
wm login --no-browser --quiet >&2
wm auth refresh --quiet
wm whoami --json --jq .user
wm task update ${task} --status Completed --undoable --json --jq .status
wm task undo ${task} --yes --json --jq .status
export WM_WEBHOOK_SECRET='any text'
exec 3< <(exec wm webhook listen --port 0 --json --quiet)
receiver=$!
read -r -u 3 line
[[ $line =~ \\"url\\":\\"(http://[^\\"]*)\\" ]]
wm webhook create "\${BASH_REMATCH[1]}" --events TaskStatusChanged --json --quiet --jq .status
wm task update ${task} --status Deferred --json --quiet >&2
while read -r -u 3 line; do case $line in *TaskStatusChanged*) echo delivered; break;; esac; done
wm webhook suspend "\${BASH_REMATCH[1]}" --yes --json --quiet --jq .status
kill $receiver
wm webhook log | grep -o -m 1 TaskStatusChanged
wm logout --yes >&2
`;

test('sign-in, refresh, update, undo, listen, suspend, jq: each a separate process of the executable', {
  skip,
}, async () => {
  let pressed: Promise<void> | undefined;
  const ended = await root.run(
    `wm emulator exec --signed-out --allow-local-hooks -- bash --norc -euo pipefail -c "$JOBS"`,
    {
      environment: { JOBS: jobs },
      onErrors(text) {
        const address = /^ *(http:\S*\/authorize\S*)\n/m.exec(text)?.[1];
        if (address !== undefined) pressed ??= pressAllow(address);
      },
    },
  );
  await pressed;
  assert.deepEqual(held(ended).split('\n'), [
    'Ada Fields',
    'Completed',
    'Active',
    'Active',
    'delivered',
    'Suspended',
    'TaskStatusChanged',
    '',
  ]);
});

test('a native library is private, checked before each load, and rewritten', { skip }, async () => {
  const folder = '/home/newcomer/.cache/wm';
  const record = `wm emulator exec -- wm task update ${task} --title x --undoable --json --jq .title`;
  held(await root.run(`rm -rf ${folder}; ${record}`));
  const listed = held(await root.run(`stat -c '%a %n' ${folder} ${folder}/*`));
  assert.match(listed, /^700 \S*\/wm\n600 \S*\/locks-[0-9a-f]{32}\.node\n$/);
  held(
    await root.run(
      `sha256sum ${folder}/*.node > sums; printf x | dd of=$(echo ${folder}/*.node) conv=notrunc`,
    ),
  );
  assert.notEqual((await root.run('sha256sum -c sums')).status, 0);
  held(await root.run(`chmod 755 ${folder}; ${record}; sha256sum -c sums`));
  assert.equal(held(await root.run(`stat -c %a ${folder}; rm -rf ${folder} sums`)), '700\n');
});

test('without a folder for libraries, commands that need none work, and the others say why', {
  skip,
}, async () => {
  const environment = { XDG_CACHE_HOME: '/proc/nowhere' };
  const words = `wm emulator exec -- sh -euc 'wm task update ${task} --status Completed --json --jq .status'`;
  assert.equal(held(await root.run(words, { environment })), 'Completed\n');
  // A folder of another user, as in a shared /tmp.
  held(await root.run('install -d -m 777 /tmp/shared /tmp/shared/wm', { as: 'root' }));
  for (const [parent, why] of [
    ['/proc/nowhere', /\/proc\/nowhere\/wm: ENOENT/],
    ['/tmp/shared', /\/tmp\/shared\/wm is not a folder of yours/],
  ] as const) {
    const ended = await root.run('wm webhook listen --port 0', { environment: { XDG_CACHE_HOME: parent } });
    assert.equal(ended.status, 1, ended.errors);
    assert.match(ended.errors, /^wm: wm cannot unpack and load a library that this needs\n/);
    assert.match(ended.errors, why);
    assert.match(ended.errors, /Let XDG_CACHE_HOME/);
  }
});

test('the keychain library loads', { skip }, async () => {
  const environment = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere', WM_TOKEN_STORE: 'keychain' };
  const ended = await root.run('wm doctor || true; ls .cache/wm', { environment });
  assert.match(ended.output, /^keyring-[0-9a-f]{32}\.node$/m, `${ended.output}${ended.errors}`);
  assert.doesNotMatch(ended.output, /no keychain library/);
});

/** scripts/nats-server.mjs fetches it. */
const hasNats = /v2\.1[5-9]/.test(spawnSync('nats-server', ['--version'], { encoding: 'utf8' }).stdout ?? '');

test('a sink in NATS', {
  skip: skip || (!hasNats && 'needs a nats-server that wm works with'),
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'wm-nats-'));
  const cluster = await startCluster({ folder, count: 1 });
  t.after(async () => {
    await cluster.stop();
    await rm(folder, { recursive: true });
  });
  const ended = await root.run(
    `wm webhook sink create $SINK --quiet
    exec 3< <(exec wm webhook listen --port 0 --sink $SINK --json --quiet)
    receiver=$!
    read -r -u 3 line
    [[ $line =~ \\"url\\":\\"(http://[^\\"]*)\\" ]]
    wm webhook trigger TaskCreated --to "\${BASH_REMATCH[1]}" --quiet >&2
    kill $receiver
    wm webhook log --sink $SINK`,
    { environment: { SINK: `nats://${cluster.addresses}/TRY`, WM_WEBHOOK_SECRET: 'any text' } },
  );
  assert.match(held(ended), /TaskCreated/);
});

test('the Debian package passes lintian, and has no maintainer scripts', {
  skip: !isFound('lintian') && 'needs lintian',
}, async () => {
  const words = ['--allow-root', '--fail-on', 'error,warning', '--display-info'];
  const checked = spawnSync('lintian', [...words, deb], { encoding: 'utf8' });
  assert.equal(checked.status, 0, checked.stdout + checked.stderr);
  const control = spawnSync('sh', ['-c', 'dpkg-deb --ctrl-tarfile "$0" | tar -t', deb], { encoding: 'utf8' });
  assert.deepEqual(control.stdout.trim().split('\n').toSorted(), ['./', './control']);
});

test('the Debian package installs, runs, and uninstalls without a trace', { skip }, async () => {
  await copyFile(deb, join(root.path, 'wm.deb'));
  held(await root.run('rm /usr/local/bin/wm', { as: 'root' }));
  const listing = `find /usr /etc -xdev -not -type d | LC_ALL=C sort`;
  const had = held(await root.run(listing, { as: 'root' }));
  held(await root.run('dpkg --install /wm.deb', { as: 'root' }));
  assert.equal(JSON.parse(held(await root.run('wm version --json'))).installation, 'deb');
  assert.match(held(await root.run('wm demo')), /^Everything worked\./m);
  // Debian's smallest system leaves out the man pages of other packages, not ours.
  const paths = ['man/man1/wm.1.gz', 'bash-completion/completions/wm', 'zsh/vendor-completions/_wm'];
  for (const path of [...paths, 'fish/vendor_completions.d/wm.fish', 'doc/wm/copyright'])
    held(await root.run(`test -s /usr/share/${path}`));
  assert.match(held(await root.run('zcat /usr/share/man/man1/wm.1.gz')), /^\.TH/m);
  held(await root.run('dpkg --purge wm', { as: 'root' }));
  assert.equal(held(await root.run(listing, { as: 'root' })), had);
});

test('SHA256SUMS lists each file', async () => {
  const sums = spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
    cwd: built,
    encoding: 'utf8',
  });
  assert.equal(sums.status, 0, sums.stdout + sums.stderr);
  const named = (await readFile(join(built, 'SHA256SUMS'), 'utf8')).match(/^\S+ {2}.*$/gm)?.length;
  const files = (await readdir(built, { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  );
  assert.equal(named, files.length - 1);
  assert.ok((await stat(join(built, 'wm'))).size < 115_000_000);
});

/** Wine 8 cannot write to a pipe, and has no console here: what the program prints goes to a file. */
test('wm.exe under wine: the version, jq, an update in the emulator, a lock', {
  skip: !existsSync('/usr/lib/wine/wine64') && 'needs wine',
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wm-wine-'));
  const wine = async (words: string) => {
    const env = { WINEPREFIX: join(folder, 'prefix'), WINEDEBUG: '-all', NODE_SKIP_PLATFORM_CHECK: '1' };
    const script = `cd "$0" && /usr/lib/wine/wine64 "$1" ${words} >output 2>errors </dev/null || { cat output errors >&2; exit 1; }`;
    const ended = spawnSync('sh', ['-c', script, folder, join(built, 'wm.exe')], {
      env: { PATH: process.env['PATH'], HOME: folder, ...env },
      encoding: 'utf8',
    });
    assert.equal(ended.status, 0, ended.stderr);
    return readFile(join(folder, 'output'), 'utf8');
  };
  try {
    assert.equal(await wine('--version'), `${version}\n`);
    assert.equal(JSON.parse(await wine('version --json')).installation, 'executable');
    const exec = (words: string) => wine(`emulator exec -- wm ${words}`);
    assert.match(
      await exec(`task update ${task} --status Completed --undoable --json --jq .status`),
      /^Completed\r?\n$/,
    );
    assert.match(await wine('demo'), /^Everything worked\./m);
  } finally {
    spawnSync('/usr/lib/wine/wineserver', ['--kill'], {
      env: { ...process.env, WINEPREFIX: join(folder, 'prefix') },
    });
    await rm(folder, { recursive: true, maxRetries: 5 });
  }
});
