// Several ids on the command line: what is printed of each where the service shows no task, and where nobody takes the
// output. test/transcript/task-ended.txt shows what an earlier run has done.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { gate } from '#test/support/gate.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { aroundHttp } from '#test/support/service/around-http.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';
import type { Output } from '#world/world.ts';

const { task: first, backlog: second } = sample;
const missing = 'IEAAAAAQKQAB5NNN';

async function bulkOf(context: TestContext, ...ids: string[]) {
  const service = await emulated(context);
  const journal = join(service.folder, 'journal');
  const argv = ['task', 'update', ...ids, '--title', 'x', '--yes', '--concurrency', '1'];
  return { ...service, journal, argv: [...argv, '--journal', journal] };
}

/** Standard output and standard error, of which the first does what the test says. */
function streamsWith(output: Partial<Output>) {
  const { streams, texts } = collectStreams();
  return { streams: { ...streams, output: { ...streams.output, ...output } }, errors: () => texts.errors };
}

test('an update whose response shows no task is a row with an unknown outcome', async (context) => {
  const server = await startRawServer(() => jsonReply(200, { kind: 'tasks', data: [] }));
  context.after(() => server.close());
  const { wm, argv } = await bulkOf(context, first, second);
  const ran = await wm([...argv, '--json'], { environment: { WM_HOST: server.host } });
  assert.deepEqual([ran.status, ran.output], [8, ''], ran.errors);
});

test('a reader that has gone receives no task, and --resume says which were updated', async (context) => {
  const { wm, argv } = await bulkOf(context, first, second);
  const { streams, errors } = streamsWith({ isReaderGone: true, write: async () => {} });
  assert.equal((await wm(argv, { world: { streams } })).status, 0, errors());
  const resumed = await wm([...argv, '--resume'], { exit: 0 });
  assert.equal(resumed.output, '');
  for (const id of [first, second])
    assert.ok(resumed.errors.includes(`${id} was updated by an earlier run.`), resumed.errors);
});

/** A run whose first task cannot be printed, before the second is updated and a third is not found. */
async function withFullOutput(context: TestContext, onError: (text: string) => void = () => {}) {
  const { wm, journal, task } = await bulkOf(context);
  const [failure, allSent] = [gate(), gate()];
  let count = 0;
  // The first response waits until all are sent, the others until the first task could not be printed.
  const http = aroundHttp(async ({ url }, pass) => {
    if (++count === 3) allSent.open();
    const outcome = await pass();
    await (url.includes(first) ? allSent : failure).opened;
    return outcome;
  });
  let writes = 0;
  const { streams, errors } = streamsWith({
    async write() {
      writes++;
      setImmediate(failure.open);
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { name: 'UnwritableOutput' });
    },
  });
  const write = async (text: string | Uint8Array) => {
    onError(String(text));
    await streams.errors.write(String(text));
  };
  const argv = ['task', 'update', first, second, missing, '--title', 'x', '--yes', '--journal', journal];
  const ran = await wm(argv, {
    world: { streams: { ...streams, errors: { ...streams.errors, write } }, http },
  });
  assert.equal(ran.status, 8, errors());
  assert.equal(writes, 1);
  return { errors, task };
}

test('if standard error fails after standard output, the reason is still that of standard output', async (context) => {
  let count = 0;
  const { errors } = await withFullOutput(context, (text) => {
    if (text.includes(missing) && ++count === 1) throw new Error('standard error is full too');
  });
  assert.equal(count, 1);
  assert.match(errors(), /^ {2}Cannot write the result: ENOSPC/m);
  assert.doesNotMatch(errors(), /is full too/);
});

test('if standard output cannot be written, still reports what failed afterwards', async (context) => {
  const { errors, task } = await withFullOutput(context);
  assert.match(errors(), new RegExp(`^wm: [^\\n]*${missing}`, 'm'));
  assert.match(errors(), /^ {2}Cannot write the result: ENOSPC/m);
  assert.match(errors(), /--resume: it sends nothing again and lists the 2 rows that were not listed\./);
  assert.equal((await task(second)).title, 'x');
});
