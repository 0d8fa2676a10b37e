// `wm webhook get`: a line or an object for each webhook, however many ids are given and however they are divided; what
// is found is printed even where another id is not.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { inFront } from '#test/support/service/intercept.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { seedOf } from '../emulator/seed/any-seed.ts';

/** The service has very many from the start. */
async function withHooks(context: TestContext, count: number) {
  const webhooks = Array.from({ length: count }, (_, n) => ({ hookUrl: `https://hooks.example.com/${n}` }));
  const service = await emulated(context, { seed: seedOf({ version: 1, webhooks }) });
  const { body } = await call(service.emulator, 'GET', '/webhooks');
  const ids: readonly string[] = body.data.map(({ id }: { readonly id: string }) => id);
  return { service, ids };
}

const idsIn = (output: string) =>
  output
    .split('\n')
    .filter(Boolean)
    .map((line) => (line.startsWith('{') ? JSON.parse(line).id : line.split('\t')[0]));

test('reads 250 webhooks in batches of 100, and prints them in the order given', async (context) => {
  const { service, ids: all } = await withHooks(context, 250);
  const ids = all.toReversed();
  const counts: number[] = [];
  const host = await inFront(context, service.environment['WM_HOST'], ({ url }) => {
    counts.push(url?.split(',').length ?? 0);
    return false;
  });
  for (const flags of [[], ['--json']]) {
    const ran = await service.wm(['webhook', 'get', ...ids, ...flags], { environment: { WM_HOST: host } });
    assert.equal(ran.status, 0, ran.errors);
    assert.deepEqual(idsIn(ran.output), ids);
  }
  assert.deepEqual(counts, [100, 100, 50, 100, 100, 50]);
  const shown = await service.wm(['webhook', 'get', ...ids, '--dry-run', '--json']);
  assert.equal(shown.output.trimEnd().split('\n').length, 3);
});

test('a failure halfway: prints the webhooks read so far, and reports the failure itself', async (context) => {
  const { service, ids } = await withHooks(context, 101);
  let answered = 0;
  const host = await inFront(context, service.environment['WM_HOST'], (_request, response) => {
    if (answered++ === 0) return false;
    response.writeHead(401, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ error: 'not_authorized', errorDescription: 'no' }));
    return true;
  });
  const ran = await service.wm(['webhook', 'get', ...ids], { environment: { WM_HOST: host } });
  assert.equal(ran.status, 4, ran.errors);
  assert.deepEqual(idsIn(ran.output), ids.slice(0, 100));
});
