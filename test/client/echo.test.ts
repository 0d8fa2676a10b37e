// Nothing secret is shown or filed where the service echoes what it was sent: every command that sends with a token, with a
// few kinds of response each, and every kind. echo.deep.test.ts tries them all. Signing in and refreshing: test/login/echo.test.ts.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import { run } from '#test/support/program/program.ts';
import { canaries, noCanary } from '#test/support/service/echo.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';
import { taskId } from '#test/support/service/scripted-service.ts';
import type { Output } from '#world/world.ts';
import { testEchoes, testGoodEchoes } from './echo.ts';

const flags = [[], ['--verbose', '--json'], ['--verbose']];
/** Each kind of response comes to every fourteenth command, and the flags change with it. */
testEchoes((command, kinds) =>
  kinds
    .map((kind, index) => [kind, [flags[index % 3] ?? []]] as const)
    .filter((_, index) => (command + index) % 14 === 0),
);
testGoodEchoes();

test('a narrow terminal does not break a secret over lines', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'wm-echo-'));
  context.after(() => rm(folder, { recursive: true }));
  const server = await startRawServer(() =>
    jsonReply(200, { kind: 'tasks', data: [{ id: taskId, title: `Plans ${canaries.token} and more` }] }),
  );
  let shown = '';
  const narrow: Output = {
    isTerminal: true,
    columns: 24,
    write: async (text) => {
      shown += text;
    },
    raw: new PassThrough(),
  };
  const input = { isTerminal: false, readAll: async () => new Uint8Array(), takeTyped: async () => '' };
  try {
    await run(['task', 'get', taskId], {
      environment: { WM_TOKEN: canaries.token, WM_HOST: server.host, WM_CONFIG_DIR: folder },
      world: { streams: { input: { ...input, raw: Readable.from([]) }, output: narrow, errors: narrow } },
    });
  } finally {
    await server.close();
  }
  assert.match(shown, /\[redacted\]/);
  const joined = shown.replace(/\s/g, '');
  noCanary(joined, 'without the breaks');
  assert.ok(!joined.includes(canaries.token.slice(-5)), shown);
});
