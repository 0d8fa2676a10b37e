// A command reads its records of webhooks once and writes them once, however many webhooks it changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFiles } from '#world/files.ts';
import { withHooks } from '../three-webhooks.ts';

test('one read, and one write where something is new', async (context) => {
  const { wm, environment, one, two, three } = await withHooks(context);
  await wm(['webhook', 'label', one, 'billing']);
  const calls = async (...words: readonly string[]) => {
    const files = createFiles(environment, process.platform);
    const done: string[] = [];
    const isRecords = (path: string) => /webhooks[/\\][^/\\]+\.json$/.test(path);
    const ran = await wm(['webhook', ...words], {
      world: {
        files: {
          ...files,
          read(path, options) {
            if (isRecords(path)) done.push('read');
            return files.read(path, options);
          },
          write(path, content, options) {
            if (isRecords(path)) done.push('write');
            return files.write(path, content, options);
          },
        },
      },
    });
    assert.equal(ran.status, 0, ran.errors);
    return done;
  };
  assert.deepEqual(await calls('suspend', 'billing', '--yes'), ['read', 'write']);
  assert.deepEqual(await calls('suspend', one, two, three, '--note', 'why', '--yes'), ['read', 'write']);
  assert.deepEqual(await calls('list'), ['read']);
  assert.deepEqual(await calls('get', 'billing', two), ['read']);
  assert.deepEqual(await calls('resume', '--all', '--no-verify', '--yes'), ['read', 'write']);
  assert.deepEqual(await calls('label', one, 'payments'), ['read', 'write']);
  assert.deepEqual(await calls('create', 'http://hooks.example.com/four'), ['read', 'write']);
  assert.deepEqual(await calls('delete', one, two, '--yes'), ['read', 'write']);
});
