// The short form of the trials, for every run of the tests: kills at instants that the test knows, since each is held
// until the kill was done. short.deep.test.ts has more of them, and `npm run torture` kills at random steps.

import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { recordProcesses } from '#test/support/process/process-record.ts';
import { createGate } from '#test/support/service/rotating-service.ts';
import { inside } from './inside.ts';
import { type Running, stageForAll } from './stage.ts';
import { helperWord, killBeforeRequest, together } from './trials.ts';

const { service, stage } = await stageForAll();
const record = await recordProcesses();
after(() => record.close());

/** What is in the folder, each with when it was changed last. */
async function contents(): Promise<readonly (readonly [string, number])[]> {
  const names = (await readdir(stage.folder, { recursive: true })).toSorted();
  return Promise.all(
    names.map(async (name) => [name, (await stat(join(stage.folder, name))).mtimeMs] as const),
  );
}

test('a valid token costs no lock, no marker and no write', async () => {
  // The first command of a day says where the tokens are, and notes that; and it notes the user, for completion.
  const { wm } = inside(stage);
  assert.equal((await wm('whoami')).status, 0);
  const item = await stage.item();
  const before = await contents();
  assert.equal((await wm('whoami')).status, 0);
  assert.deepEqual(await stage.item(), item);
  assert.deepEqual(await contents(), before);
  assert.deepEqual(
    before.map(([name]) => name).filter((name) => !name?.startsWith('state/completion')),
    ['profiles.json', 'state', 'state/said.json', 'tokens', 'tokens/default.json'],
  );
  assert.equal(service.counts.requests, 0);
});

test('3 processes at once on an expired token: one refresh', async () => {
  await together(service, stage, 3, 1);
});

/** Starts a command and waits until it has come to the instant; `goOn` lets what it left behind go on. */
interface Instant {
  readonly running: Running;
  readonly goOn: () => unknown;
}

async function helperStarts(): Promise<Instant> {
  await record.hold(helperWord);
  const running = stage.startWith(record.environment, 'whoami');
  await record.held();
  return { running, goOn: record.release };
}

const atTheService = (when: 'before' | 'after') => async (): Promise<Instant> => {
  const gate = createGate();
  service.faults.push({ when, what: 'gate', gate });
  const running = stage.start('whoami');
  await gate.reached;
  return { running, goOn: gate.open };
};

const instants: Readonly<Record<string, () => Promise<Instant>>> = {
  'its helper has started': helperStarts,
  'the request has arrived': atTheService('before'),
  'the service has rotated the token': atTheService('after'),
};
for (const [name, reach] of Object.entries(instants)) {
  test(`the command is killed when ${name}: the next one works`, async () => {
    await stage.expire();
    const before = { ...service.counts };
    const { running, goOn } = await reach();
    running.child.kill('SIGKILL');
    assert.equal((await running.ended).signal, 'SIGKILL');
    await goOn();
    const next = await stage.run('whoami');
    assert.equal(next.status, 0, next.errors);
    const { requests, rotated, rejected } = before;
    assert.deepEqual(service.counts, { requests: requests + 1, rotated: rotated + 1, rejected });
  });
}

test('the helper is killed before it sends: the command itself works', () =>
  killBeforeRequest(service, stage, record, 1));
