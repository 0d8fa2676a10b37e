// Opening a page with real programs in the browser's place: the one that BROWSER names, and the system's own opener.

import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeFifo } from '#test/support/disk/fifo.ts';
import { createBrowser } from '#world/browser.ts';

const url = 'https://login.test/authorize?a=1&b=$(touch%20x);c';
const skip = process.platform === 'win32' && 'the programs are shell scripts';
let folder = '';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wm-browser-'));
});
after(() => rm(folder, { recursive: true }));

test('BROWSER gets the address as one argument, without a shell', { skip }, async () => {
  const { program, receivedArguments } = await script('firefox', 'exit 0');
  assert.equal(await createBrowser({ BROWSER: program }).open(url), true);
  assert.deepEqual(await receivedArguments(), [url]);
});

test('BROWSER can have arguments, a placeholder for the address, and a space in its path', {
  skip,
}, async () => {
  const { program, receivedArguments } = await script('chrome', 'exit 0');
  assert.equal(await createBrowser({ BROWSER: `${program} --new --to=%s last` }).open(url), true);
  assert.deepEqual(await receivedArguments(), ['--new', `--to=${url}`, 'last']);
  const blank = await script('my browser', 'exit 0');
  assert.equal(await createBrowser({ BROWSER: blank.program }).open(url), true);
  assert.deepEqual(await blank.receivedArguments(), [url]);
});

test('keeps secrets out of the environment of the browser', { skip }, async () => {
  const { program } = await script('curious', 'env > "$0.env"');
  const environment = {
    WM_TOKEN: 'a',
    WM_CLIENT_SECRET: 'b',
    WM_WEBHOOK_SECRET: 'c',
    WM_HOST: 'd',
    PATH: process.env['PATH'],
  };
  assert.equal(await createBrowser({ ...environment, BROWSER: program }).open(url), true);
  const variables = await readFile(`${program}.env`, 'utf8');
  assert.match(variables, /^WM_HOST=d$/m);
  assert.doesNotMatch(variables, /WM_TOKEN|SECRET/);
});

test('a browser that keeps running counts as opened', { skip }, async (context) => {
  // It runs until the test has ended.
  const pipe = join(folder, 'pipe');
  makeFifo(context, pipe);
  const { program } = await script('lasting', `read _ < '${pipe}'`);
  assert.equal(await createBrowser({ BROWSER: program }).open(url), true);
});

test('reports no browser opened if BROWSER fails, is missing, or is not executable', { skip }, async () => {
  const { program } = await script('failing', 'exit 3');
  assert.equal(await createBrowser({ BROWSER: program }).open(url), false);
  const killed = await script('killed', 'kill -9 $$');
  assert.equal(await createBrowser({ BROWSER: killed.program }).open(url), false);
  assert.equal(await createBrowser({ BROWSER: join(folder, 'nothing') }).open(url), false);
  await chmod(program, 0o644);
  assert.equal(await createBrowser({ BROWSER: program }).open(url), false);
});

test('opens no browser if disabled, or without a display', async () => {
  for (const BROWSER of ['', 'none', ' ']) {
    assert.equal(await createBrowser({ BROWSER, DISPLAY: ':0' }, 'linux').open(url), false);
  }
  assert.equal(await createBrowser({}, 'linux').open(url), false);
});

test('opens only web pages', { skip }, async () => {
  const { program, receivedArguments } = await script('never', 'exit 0');
  for (const bad of ['file:///etc/passwd', 'javascript:alert(1)', '--version', '', 'login.test', '/bin/sh']) {
    assert.equal(await createBrowser({ BROWSER: program }).open(bad), false, bad);
  }
  await assert.rejects(receivedArguments());
});

async function script(name: string, then: string) {
  const program = join(folder, name);
  await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$@" > "$0.seen"\n${then}\n`);
  await chmod(program, 0o755);
  const receivedArguments = async () => (await readFile(`${program}.seen`, 'utf8')).trimEnd().split('\n');
  return { program, receivedArguments };
}
