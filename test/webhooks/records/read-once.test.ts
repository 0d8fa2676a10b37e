// A command reads its records of webhooks once and writes them once, however many webhooks it changes, and lists the webhooks once. It
// waits for the lock of the records after the change.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hook, hookId, hooks } from '#test/support/service/scripted-service.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import { answering } from '../records.ts';
import { withHooks } from '../three-webhooks.ts';

test('reads once, and writes once if something is new', async (context) => {
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

test('a webhook named by text takes one list, one change and one read', async (context) => {
  const { wm, one, two } = await withHooks(context);
  const requests = async (...words: readonly string[]) => {
    const ran = await wm(['webhook', ...words, '--yes', '--verbose']);
    assert.equal(ran.status, 0, ran.errors);
    return [...ran.errors.matchAll(/^(\w+) \S+\/api\/v4(\/\S*) -> /gm)].map(
      ([, method, path = '']) => `${method} ${path.split('?')[0]}`,
    );
  };
  const change = [`PUT /webhooks/${one}`, `GET /webhooks/${one}`];
  assert.deepEqual(await requests('suspend', 'com/one'), ['GET /webhooks', ...change]);
  assert.deepEqual(await requests('resume', 'com/one', '--no-verify'), ['GET /webhooks', ...change]);
  assert.deepEqual(await requests('suspend', one), [`GET /webhooks/${one}`, 'GET /webhooks', ...change]);
  assert.deepEqual(await requests('delete', 'com/two'), [
    'GET /webhooks',
    `DELETE /webhooks/${two}`,
    `GET /webhooks/${two}`,
  ]);
});

// A stopped wm may hold it.
test('does not wait for a busy lock of the local records before the change', async (context) => {
  const suspended = { ...hook, status: 'Suspended' };
  const { wm, asked } = await answering(context, {
    [`GET webhooks/${hookId}`]: [hooks(hook), hooks(suspended)],
    [`PUT webhooks/${hookId}`]: [hooks(suspended)],
  });
  const before: number[] = [];
  const { lock } = createWorld();
  const ran = await wm(['webhook', 'suspend', hookId, '--yes'], {
    world: {
      lock: {
        ...lock,
        async acquire(path, options) {
          if (!path.includes('webhooks')) return lock.acquire(path, options);
          if (!asked.some((request) => request.startsWith('PUT'))) before.push(options.timeoutMs);
          return undefined;
        },
      },
    },
  });
  assert.equal(ran.status, 0, ran.errors);
  assert.match(ran.output, new RegExp(`^${hookId}\tSuspended\t`));
  assert.match(
    ran.errors,
    /^Cannot record the status of webhooks: Another wm is still updating its records/m,
  );
  assert.deepEqual(before, []);
});
