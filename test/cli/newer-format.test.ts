// A file of wm's folder that a newer wm wrote: every command that reads it names both formats, and none overwrites it.

import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { run } from '#test/support/program/program.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';
import { hook, hookId, hooks } from '#test/support/service/scripted-service.ts';
import { version } from '#version.ts';
import { createFiles } from '#world/files.ts';

async function place(context: TestContext, name: string, content: object) {
  const folder = await ownFolder(context);
  const path = join(folder, name);
  const text = JSON.stringify(content);
  await writeFile(path, text, { mode: 0o600 });
  return {
    async assertRejected(argv: readonly string[], environment: Record<string, string>, input = '') {
      const own = { WM_CONFIG_DIR: folder, ...environment };
      const world = { files: createFiles(own, process.platform) };
      const { status, output, errors } = await run(argv, { environment: own, input, world });
      assert.deepEqual([status, output], [2, ''], errors);
      assert.ok(errors.includes(`Cannot read ${path}`), errors);
      assert.ok(
        errors.includes(`it has format 2, written by wm 9.9.9; this is wm ${version}, which knows format 1`),
        errors,
      );
      assert.equal(await readFile(path, 'utf8'), text);
    },
  };
}

const newer = { format: 2, wm: '9.9.9' };
/** What this version would take for a file without profiles, for one of its own, and for none of its own. */
const contents = {
  'without profiles': { ...newer, profiles: [] },
  'with other members': {
    ...newer,
    current: 'work',
    profiles: [{ name: 'work', host: 'api.example.com', hostSuffixes: [], signedInAt: 1, quota: 7 }],
  },
  'of another shape': { ...newer, signIns: {} },
};

for (const [name, content] of Object.entries(contents))
  test(`profiles.json in a newer format, ${name}`, async (context) => {
    const { assertRejected } = await place(context, 'profiles.json', content);
    for (const argv of [
      ['whoami'],
      ['auth', 'list'],
      ['auth', 'status'],
      ['auth', 'switch', 'work'],
      ['logout'],
      ['logout', '--profile', 'work'],
      ['task', 'list'],
    ])
      await assertRejected(argv, {});
    const environment = { WM_TOKEN_STORE: 'file', WM_CLIENT_ID: 'app', WM_CLIENT_SECRET: 'fictional-4711' };
    await assertRejected(
      ['login', '--with-token', '--host', 'api.example.com'],
      environment,
      'fictional-token',
    );
    await assertRejected(['login', '--start', '--auth-url', 'http://127.0.0.1:1'], environment);
    await assertRejected(['login', '--profile', 'new', '--auth-url', 'http://127.0.0.1:1'], environment);
  });

test('the local records of webhooks in a newer format', async (context) => {
  const folder = await ownFolder(context);
  const server = await startRawServer(() => jsonReply(200, hooks(hook)));
  context.after(() => server.close());
  const environment = {
    WM_TOKEN: 'fictional-token',
    WM_HOST: server.host,
    WM_CONFIG_DIR: folder,
    XDG_STATE_HOME: folder,
  };
  const world = { files: createFiles(environment, process.platform) };
  const label = (text: string) => run(['webhook', 'label', hookId, text], { environment, world });
  assert.equal((await label('billing')).status, 0);
  const records = join(folder, 'state', 'webhooks');
  const path = join(records, (await readdir(records)).find((name) => name.endsWith('.json')) ?? '');
  const text = (await readFile(path, 'utf8')).replace('"format": 1', '"format": 2, "wm": "9.9.9"');
  await writeFile(path, text);
  const changed = await label('other');
  assert.notEqual(changed.status, 0);
  // What only helps fails no command that reads.
  const listed = await run(['webhook', 'list'], { exit: 0, environment, world });
  for (const { errors } of [changed, listed])
    assert.ok(errors.includes('it has format 2, written by wm 9.9.9'), errors);
  assert.equal(await readFile(path, 'utf8'), text);
});

test('profiles.json names its format and the wm that wrote it', async (context) => {
  const folder = await ownFolder(context);
  const server = await startRawServer((request) => {
    const kind = request.includes('/account') ? 'accounts' : 'contacts';
    return jsonReply(200, { kind, data: [{ id: 'KUAAAAAA' }] });
  });
  context.after(() => server.close());
  const environment = { WM_CONFIG_DIR: folder, WM_TOKEN_STORE: 'file' };
  const world = { files: createFiles(environment, process.platform) };
  const argv = ['login', '--with-token', '--host', server.host];
  await run(argv, { exit: 0, environment, input: 'fictional-token', world });
  const { format, wm, current } = JSON.parse(await readFile(join(folder, 'profiles.json'), 'utf8'));
  assert.deepEqual({ format, wm, current }, { format: 1, wm: version, current: 'default' });
});
