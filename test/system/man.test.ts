// The man pages, from the package as npm packs and installs it: `man wm-task-update` shows the page, and groff has nothing
// to say against any of them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { commands } from '#app/commands.ts';

function run(command: string, ...words: readonly string[]): string {
  const environment = { ...process.env, MANPAGER: 'cat', MANWIDTH: '80', LC_ALL: 'C.UTF-8' };
  const { status, stdout, stderr, error } = spawnSync(command, words, { encoding: 'utf8', env: environment });
  assert.equal(error, undefined);
  assert.equal(status, 0, `${command} ${words.join(' ')}: ${stderr}`);
  return stdout;
}

test('man wm-task-update, after npm install -g of the tarball', { timeout: 600_000 }, async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'wm-man-'));
  context.after(() => rm(folder, { recursive: true }));
  run('npm', 'run', 'pack', '--', folder);
  const [tarball = ''] = await readdir(folder);
  const prefix = join(folder, 'prefix');
  run('npm', 'install', '--global', '--prefix', prefix, join(folder, tarball));

  const pages = join(prefix, 'share/man');
  const names = await readdir(join(pages, 'man1'));
  for (const { words } of commands) assert.ok(names.includes(`wm-${words.replace(' ', '-')}.1`), words);
  for (const name of names) {
    const { stderr } = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-z', join(pages, 'man1', name)], {
      encoding: 'utf8',
    });
    assert.equal(stderr, '', name);
  }
  const shown = run('man', '-M', pages, 'wm-task-update');
  assert.match(shown, /^ +wm-task-update - update tasks$/m);
  assert.match(shown, /^ +--status STATUS\n +Set the status: Active, Deferred, Completed, Cancelled\.$/m);
  assert.match(shown, /^ +wm task update IEAAAAAQKQAB5BNG --status Completed/m);
});
