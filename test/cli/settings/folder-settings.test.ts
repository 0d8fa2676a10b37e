// The .wm.json of a stranger's folder: which settings it may have, and that none of them takes a sign-in, a token or a request
// elsewhere. The lists are written by hand, apart from the table.

import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { settingNames } from '#cli/settings/setting-table.ts';
import { makeFifo } from '#test/support/disk/fifo.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';
import { createFiles } from '#world/files.ts';
import type { Environment } from '#world/world.ts';

const never = {
  'auth-url': 'https://login.evil.example',
  'host-suffixes': ['evil.example'],
  'client-id': 'evil',
  'token-store': 'file',
  'callback-port': 8400,
};
const allowed = { profile: 'work', timeout: 60, 'read-only': true, color: false, input: false };

const service = await serviceForAll();
const person = personForEach();

test('every setting is in one of the two lists', () => {
  assert.deepEqual([...settingNames].toSorted(), Object.keys({ ...never, ...allowed }).toSorted());
});

/** Each puts what cannot be read in the place of a folder's file. */
const unreadable: Readonly<Record<string, (path: string, t: TestContext) => Promise<void>>> = {
  'one that is too long': (path) => writeFile(path, `${' '.repeat(5000)}{"read-only":true}`),
  'a folder': async (path) => void (await mkdir(path)),
  'a named pipe': async (path, t) => makeFifo(t, path),
  'one without read permission': async (path) => {
    await writeFile(path, '{"read-only":true}');
    await chmod(path, 0);
  },
};

for (const [what, put] of Object.entries(unreadable)) {
  const skip =
    (what === 'a named pipe' && process.platform === 'win32' && 'no named pipes among files') ||
    (what.includes('permission') &&
      (process.platform === 'win32' || process.getuid?.() === 0) &&
      'all can read it');
  test(`an unreadable guard still stops changes, whatever selects the account: ${what}`, {
    skip,
  }, async (t) => {
    const at = join(person.folder, 'guarded', 'deep');
    await mkdir(at, { recursive: true });
    // What a search that went on would find.
    await writeFile(join(person.folder, 'guarded', '.wm.json'), '{}');
    const path = join(at, '.wm.json');
    await put(path, t);
    const environment = { WM_CONFIG_DIR: person.folder };
    const files = createFiles(environment, process.platform, at);
    const wm = (status: number, argv: readonly string[], more: Environment = {}) =>
      person.wm(argv, { exit: status, environment: { ...environment, ...more }, world: { files } });
    const token = { WM_TOKEN: 'canary', WM_HOST: new URL(service.url).host };
    const line = ['webhook', 'delete', 'IEAAAAAQJMABEUPS', '--yes'];
    for (const [argv, more] of [
      [line, token],
      [[...line, '--profile', 'default'], {}],
      [line, { WM_PROFILE: 'default' }],
      [line, {}],
    ] as const) {
      const { errors } = await wm(2, argv, more);
      assert.ok(errors.startsWith(`wm: Cannot read ${path}`), errors);
      assert.match(errors, /move it away/);
    }
    assert.deepEqual([service.calls, service.exchanges], [[], []]);
    for (const typed of ['webhook --help', 'help output', 'config set timeout 5', 'config unset timeout'])
      await wm(0, typed.split(' '), token);
    const doctor = await wm(10, ['doctor', '--json'], token);
    assert.ok(doctor.output.includes(`Cannot read ${path}`), doctor.errors);
  });
}
