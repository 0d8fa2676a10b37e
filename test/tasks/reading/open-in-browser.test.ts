// `wm task get --web`, with a browser that writes down what it was started with: which addresses are opened, and where none can be.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { inFront } from '#test/support/service/intercept.ts';
import { createBrowser } from '#world/browser.ts';
import type { Browser } from '#world/world.ts';

const title = 'Write the launch page';
const skip = process.platform === 'win32' && 'needs /bin/sh';

async function withBrowser(context: TestContext, permalink?: string | null) {
  const { wm, folder, environment, task } = await emulated(context);
  const record = await task(sample.task);
  const { permalink: own, ...rest } = record;
  const sent = permalink === null ? rest : { ...rest, permalink: permalink ?? own };
  const host = await inFront(context, environment['WM_HOST'], (request, response) => {
    if (!request.url?.startsWith(`/api/v4/tasks/${sample.task}`)) return false;
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ kind: 'tasks', data: [sent] }));
    return true;
  });
  const [program, opened] = [join(folder, 'browser'), join(folder, 'opened')];
  await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$#" "$@" > '${opened}'\n`, { mode: 0o755 });
  return {
    own: String(own),
    opened: async () => (existsSync(opened) ? (await readFile(opened, 'utf8')).trimEnd().split('\n') : []),
    get: (
      typed: readonly string[],
      more: Readonly<Record<string, string>> = { BROWSER: program },
      browser: Browser = createBrowser({ PATH: '/usr/bin:/bin', ...more }, 'linux'),
    ) => wm(['task', 'get', ...typed], { environment: { WM_HOST: host, ...more }, world: { browser } }),
  };
}

test('opens the permalink, names its host, and prints nothing else', { skip }, async (context) => {
  const { get, own, opened } = await withBrowser(context);
  const ran = await get([title, '--web']);
  assert.equal(ran.status, 0, ran.errors);
  assert.deepEqual(await opened(), ['1', own]);
  assert.equal(ran.output, '');
  assert.ok(ran.errors.endsWith(`Opening ${new URL(own).host} in the browser: ${own}\n`), ran.errors);
  const asJson = await get([sample.task, '--web', '--json']);
  assert.equal(JSON.parse(asJson.output).id, sample.task);
});

test('shell characters reach the browser as one word', { skip }, async (context) => {
  const { get, opened } = await withBrowser(context, 'https://evil.example/$(touch x)`id`;a?b=1&c="');
  assert.equal((await get([sample.task, '--web'])).status, 0);
  assert.deepEqual(await opened(), ['1', 'https://evil.example/$(touch%20x)%60id%60;a?b=1&c=%22']);
});

for (const [why, permalink] of [
  ['a file', 'file:///etc/passwd'],
  ['a script', 'javascript:alert(1)'],
  ['a program', 'vscode://x'],
  ['an option', '--version'],
  ['a user name that looks like a host', 'https://workspace.example.com@evil.example/'],
  ['nothing', ''],
  ['none', null],
] as const)
  test(`does not open the permalink: ${why}`, { skip }, async (context) => {
    const { get, opened } = await withBrowser(context, permalink);
    const ran = await get([sample.task, '--web']);
    assert.equal(ran.status, 1);
    assert.match(ran.errors, /^wm: The (?:permalink of|service returned no permalink)/);
    assert.deepEqual(await opened(), []);
  });

test('over ssh and without a display the address is printed', { skip }, async (context) => {
  const { get, own, opened } = await withBrowser(context);
  for (const environment of [{}, { DISPLAY: ':0', SSH_CONNECTION: 'a' }, { DISPLAY: ':0', SSH_TTY: 'b' }]) {
    const ran = await get([sample.task, '--web'], environment);
    assert.equal(ran.status, 0, ran.errors);
    assert.equal(ran.output, `${own}\n`);
    assert.ok(ran.errors.endsWith('No browser can be opened here. Open this address:\n'), ran.errors);
  }
  const asJson = await get([sample.task, '--web', '--json'], {});
  assert.equal(JSON.parse(asJson.output).id, sample.task);
  assert.ok(asJson.errors.endsWith(`${own}\n`));
  assert.deepEqual(await opened(), []);
});

test('starts no browser over ssh, even if one is available, unless BROWSER names it', async (context) => {
  const { get, own } = await withBrowser(context);
  const asked: string[] = [];
  const browser: Browser = {
    open: async (url) => {
      asked.push(url);
      return true;
    },
  };
  for (const environment of [{ SSH_CONNECTION: 'a' }, { SSH_TTY: 'b' }])
    assert.equal((await get([sample.task, '--web'], environment, browser)).output, `${own}\n`);
  assert.deepEqual(asked, []);
  for (const environment of [{ SSH_TTY: 'b', BROWSER: 'x' }, { DISPLAY: ':0' }])
    assert.equal((await get([sample.task, '--web'], environment, browser)).output, '');
  assert.deepEqual(asked, [own, own]);
});

test('takes a single task, without --watch; a dry run opens nothing', { skip }, async (context) => {
  const { get, opened } = await withBrowser(context);
  assert.match((await get([sample.task, sample.bug, '--web'])).errors, /--web opens a single task/);
  assert.match((await get([sample.task, '--web', '--watch'])).errors, /cannot be combined/);
  assert.match((await get([sample.task, '--interval', '5'])).errors, /--interval needs --watch/);
  assert.match((await get([sample.task, '--web', '-n'])).output, /^GET /);
  assert.equal((await get(['IEAAAAAQKQAB5XXX', '--web'])).status, 5);
  assert.deepEqual(await opened(), []);
});
