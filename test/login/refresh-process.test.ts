// The process that refreshes tokens, by itself: what it does with an input that is none, with a profile that there is not,
// and with a lock that it cannot get.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { internalCommands } from '#internal-commands.ts';
import { parseHelperOutput, runRefreshProcess } from '#login/refresh-process.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { createWorld } from '#world/create-world.ts';

const folder = await ownFolder({ after });
const lockPath = join(folder, 'locks', 'nobody.lock');
const nobody = { profile: 'nobody', generation: 1, lockPath };

function runProcess(input: string): Promise<readonly [output: string, errors: string]> {
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, [resolve('bin/wm.js'), internalCommands.refreshProcess], {
      env: { PATH: process.env['PATH'], HOME: folder, WM_CONFIG_DIR: folder, WM_TOKEN_STORE: 'file' },
    });
    const texts = ['', ''] as [string, string];
    child.stdout.on('data', (bytes) => {
      texts[0] += bytes;
    });
    child.stderr.on('data', (bytes) => {
      texts[1] += bytes;
    });
    child.on('error', reject).on('close', () => done(texts));
    child.stdin.end(input);
  });
}

/** In this process. */
async function runHere(input: string): Promise<readonly [output: string, errors: string]> {
  const world = createWorld();
  const { streams, texts } = collectStreams({ input: { readAll: async () => Buffer.from(input) } });
  await runRefreshProcess({ ...world, streams });
  return [texts.output, texts.errors];
}

for (const input of [
  '',
  'x',
  'null',
  '[]',
  '{}',
  JSON.stringify({ ...nobody, profile: 5 }),
  JSON.stringify({ ...nobody, generation: '1' }),
  JSON.stringify({ ...nobody, lockPath: undefined }),
]) {
  test(`an invalid input changes nothing: ${input}`, async () => {
    const [output, errors] = await (input === 'x' ? runProcess(input) : runHere(input));
    assert.equal(output, '{"code":"internal","message":"invalid input"}', errors);
    assert.equal(errors, '');
    assert.equal(parseHelperOutput(output)?.failure?.message, 'invalid input');
  });
}

test('a profile removed meanwhile: nothing to do, and no failure', async () => {
  const [output, errors] = await runProcess(JSON.stringify({ ...nobody, more: 1 }));
  assert.deepEqual([output, errors], ['{"done":true,"warnings":[]}', '']);
});

test('a lock that another process never releases: a failure that says so', async () => {
  const world = createWorld();
  let output = '';
  const waits: number[] = [];
  await runRefreshProcess({
    ...world,
    lock: {
      ...world.lock,
      acquire: async (path, { timeoutMs }) => {
        assert.equal(path, lockPath);
        waits.push(timeoutMs);
        return undefined;
      },
    },
    streams: {
      ...world.streams,
      input: { ...world.streams.input, readAll: async () => Buffer.from(JSON.stringify(nobody)) },
      output: {
        ...world.streams.output,
        write: async (text) => {
          output += text;
        },
      },
    },
  });
  assert.equal(output, '{"code":"other","message":"Cannot lock the sign-in"}');
  assert.deepEqual(waits, [30_000]);
});
