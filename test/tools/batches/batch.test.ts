// `wm batch`: everything is validated first, at most 100 operations go into one request, each has an outcome, and what is
// lost or ends early is never sent twice.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { percentEncode } from '#client/request.ts';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { handSignals } from '#test/support/program/manual-signals.ts';
import { run } from '#test/support/program/program.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { ask } from '#test/support/service/scripted-service.ts';
import { answering, broken } from '#test/webhooks/records.ts';
import { createWorld } from '#world/create-world.ts';
import { dangerousPaths } from '../dangerous-paths.ts';

const tasks = `/folders/${sample.folder}/tasks`;
const create = (title: string) => ({ method: 'POST', path: tasks, parameters: { title } });
const lines = (all: readonly unknown[]) => all.map((operation) => JSON.stringify(operation)).join('\n');
const many = (count: number) => Array.from({ length: count }, (_, index) => create(`Task ${index + 1}`));

/** An emulator whose jobs are done by the time that wm reads them again. */
async function staged(context: TestContext) {
  const stage = await emulated(context);
  const clock = {
    ...createWorld().clock,
    sleep: async () => void (await stage.control('clock', { advanceSeconds: 1 })),
  };
  const batch = (input: string, ...typed: readonly string[]) =>
    stage.wm(['batch', '-', '--yes', ...typed], { input, world: { clock } });
  return { ...stage, clock, batch };
}

const outcomes = (output: string) =>
  output
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t').slice(0, 2).join(' '));

test('reads a JSON array; --json prints an object per line, with the result as sent by the service', async (context) => {
  const { wm, clock, folder } = await staged(context);
  const file = join(folder, 'operations.json');
  const operations = [{ ...create('Task 1'), method: 'post' }, create('Task 2')];
  await writeFile(file, ` ${JSON.stringify(operations, null, 2)}\n`);
  const ran = await wm(['batch', file, '--yes', '--json'], { world: { clock } });
  assert.equal(ran.status, 0, ran.errors);
  const records = ran.output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    records.map(({ operation, outcome, method, path, result }) => [
      ...[operation, outcome, method, path, result.status, result.data[0].title],
    ]),
    [
      [1, 'done', 'POST', tasks, 200, 'Task 1'],
      [2, 'done', 'POST', tasks, 200, 'Task 2'],
    ],
  );
  assert.equal(ran.errors, '2 of 2 operations done\n');
});

test('sends more than 100 operations in consecutive requests', async (context) => {
  const { batch } = await staged(context);
  const ran = await batch(lines(many(201)), '--verbose');
  assert.equal(ran.status, 0, ran.errors);
  const posts = ran.errors.split('\n').filter((line) => /^POST \S+\/batch -> 200/.test(line));
  assert.equal(posts.length, 3);
  assert.deepEqual(
    outcomes(ran.output),
    many(201).map((_, index) => `${index + 1} done`),
  );
});

for (const [path, problem] of dangerousPaths) {
  const operation = { ...create('x'), path };
  test(`sends nothing for ${JSON.stringify(operation)}: ${problem}`, async () => {
    // No token either: whoever has to fix the file need not sign in first.
    const ran = await run(['batch', '-', '--yes'], {
      environment: { WM_HOST: 'api.example.com' },
      input: lines([create('good'), operation]),
    });
    assert.equal(ran.status, 2, ran.errors);
    assert.match(ran.errors, /^wm: 1 operation of 2 is invalid; nothing was sent\n {2}line 2: /);
    assert.ok(ran.errors.includes(problem), ran.errors);
  });
}

test('a lost response: its operations have an unknown outcome, the others are not sent, exit 9', async (context) => {
  const { batch, control, emulator } = await staged(context);
  await control('faults', { request: 'batch', cutAfter: 0, when: 'after' });
  const ran = await batch(lines(many(150)), '--verbose');
  assert.equal(ran.status, 9, ran.errors);
  assert.deepEqual(
    outcomes(ran.output),
    many(150).map((_, index) => `${index + 1} ${index < 100 ? 'unknown' : 'not-sent'}`),
  );
  assert.equal(ran.errors.split('\n').filter((line) => line.startsWith('POST ')).length, 1);
  assert.match(ran.errors, /wm: The outcome of operations 1 to 100 is unknown\n/);
  assert.match(ran.errors, /0 of 150 operations done, 100 unknown, 50 not sent/);
  await control('clock', { advanceSeconds: 1 });
  const { data } = JSON.parse(
    await (
      await fetch(`${emulator.baseUrl}/folders/${sample.folder}/tasks`, {
        headers: { Authorization: `Bearer ${emulator.token}` },
      })
    ).text(),
  );
  assert.equal(data.filter(({ title }: { title: string }) => title === 'Task 1').length, 1);
});

test('a job that cannot be read: exit 9, and the command in the hint follows it', async (context) => {
  const { batch, control, wm, clock } = await staged(context);
  await control('faults', { request: 'getAsyncJob', status: 503, times: 3 });
  const ran = await batch(lines(many(2)));
  assert.equal(ran.status, 9, ran.errors);
  assert.deepEqual(outcomes(ran.output), ['1 unknown', '2 unknown']);
  const [, id = ''] = /To follow it: wm batch --job (\w+)\n/.exec(ran.errors) ?? [];
  const followed = await wm(['batch', '--job', id], { world: { clock } });
  assert.equal(followed.status, 0, followed.errors);
  assert.match(followed.output, /^1\tdone\t\t\t\w+\t\n2\tdone\t\t\t\w+\t\n$/);
  const none = await wm(['batch', '--job', 'NOSUCHJOB']);
  assert.equal(none.status, 5, none.errors);
});

const job = (more: object) => ({ kind: 'asyncJob', data: [{ id: 'J1', ...more }] });
const batchAt = (
  service: Awaited<ReturnType<typeof answering>>,
  count: number,
  ...typed: readonly string[]
) =>
  service.wm(['batch', '-', '--yes', ...typed], {
    input: lines(many(count)),
    world: { clock: { ...createWorld().clock, sleep: async () => {} } },
  });

const hostile = 'J; touch /tmp/never #';
const inQueue = (id: string) => ({ kind: 'asyncJob', data: [{ id, status: 'InQueue' }] });
const completed = (id: string, count: number) => ({
  kind: 'asyncJob',
  data: [{ id, status: 'Completed', results: Array.from({ length: count }, () => ({ status: 200 })) }],
});

for (const [about, replies, problem] of [
  [
    'another job than the one asked for',
    { 'POST batch': [inQueue('J1')], 'GET async_job/J1': [completed('J2', 2)] },
    'expected the record J1, got another',
  ],
  ['no job', { 'POST batch': [inQueue('J1')], 'GET async_job/J1': [{ kind: 'asyncJob', data: [] }] }, 'J1'],
  ['a job whose id no request can have', { 'POST batch': [inQueue(hostile)] }, 'The job cannot be followed'],
] as const) {
  test(`the service shows ${about}: every outcome is unknown, exit 9, and nothing more is sent`, async (context) => {
    const service = await answering(context, replies);
    const ran = await batchAt(service, 2);
    assert.equal(ran.status, 9, ran.errors);
    assert.deepEqual(outcomes(ran.output), ['1 unknown', '2 unknown']);
    assert.ok(ran.errors.includes(problem), ran.errors);
    assert.doesNotMatch(ran.errors, /--job J;/);
  });
}

for (const [id, typed] of [
  ['J;id', "'J;id'"],
  ['$(id)', "'$(id)'"],
  ['-J', '=-J'],
] as const) {
  test(`the command that follows job ${id} works when pasted, and is the value of next`, async (context) => {
    const service = await answering(context, {
      'POST batch': [inQueue(id)],
      [`GET async_job/${percentEncode(id)}`]: [broken, broken, broken, completed(id, 1)],
    });
    const ran = await batchAt(service, 1, '--json');
    assert.equal(ran.status, 9, ran.errors);
    const command = `wm batch --job${typed.startsWith('=') ? '' : ' '}${typed}`;
    const { hint, next } = JSON.parse(ran.errors.trimEnd().split('\n').at(-1) ?? '').error;
    assert.deepEqual([hint, next], [`The job continues on the service. To follow it: ${command}`, command]);
    const followed = await service.wm(['batch', `--job=${id}`]);
    assert.equal(followed.status, 0, followed.errors);
  });
}

test('on a terminal, the outcomes of an earlier job have colours', async (context) => {
  const failed = job({ status: 'Completed', results: [{ status: 200 }, { status: 400 }] });
  const service = await answering(context, { 'GET async_job/J1': [failed] });
  const { streams, texts } = collectStreams({ isTerminal: true });
  await service.wm(['batch', '--job', 'J1'], { environment: { TERM: 'xterm' }, world: { streams } });
  for (const shown of ['\x1b[32mdone\x1b[39m\n', '\x1b[31mfailed\x1b[39m\n'])
    assert.ok(texts.output.includes(shown), texts.output);
});

test('a job without a status is done when it has results; a status of 400 or more is a failure', async (context) => {
  const service = await answering(context, {
    'POST batch': [job({})],
    'GET async_job/J1': [job({}), job({ results: [{ status: 200 }, { status: 400 }] })],
  });
  const ran = await batchAt(service, 2);
  assert.equal(ran.status, 8, ran.errors);
  assert.deepEqual(outcomes(ran.output), ['1 done', '2 failed']);
});

test('stops waiting for a job that never shows a status or results: exit 9, and the hint follows it', async (context) => {
  const { wm } = await emulated(context, { mode: 'bare' });
  const clock = { ...createWorld().clock, sleep: async () => undefined };
  const ran = await wm(['batch', '-', '--yes'], { input: lines(many(2)), world: { clock } });
  assert.equal(ran.status, 9, ran.errors);
  assert.deepEqual(outcomes(ran.output), ['1 unknown', '2 unknown']);
  assert.match(ran.errors, /The service shows neither a status nor results of job \w+/);
  assert.match(ran.errors, /To follow it: wm batch --job \w+/);
});

/** A clock whose every sleep shows the progress, and then does `pass`. */
function tickingClock(pass: () => Promise<unknown>) {
  let tick = () => {};
  return {
    ...createWorld().clock,
    after: (_: number, show: () => void) => {
      tick = show;
      return () => {};
    },
    sleep: async () => {
      tick();
      await pass();
    },
  };
}

test('shows progress while a job takes long', async (context) => {
  const stage = await emulated(context);
  const clock = tickingClock(() => stage.control('clock', { advanceSeconds: 1 }));
  const ran = await stage.wm(['batch', '-', '--yes'], { input: lines(many(1)), world: { clock } });
  assert.equal(ran.status, 0, ran.errors);
  assert.match(ran.errors, /^1 of 1 request: job \w+ InProgress, 0 %, \d+ s\n/);
});

test('Ctrl-C: before the job id is known, the hint is to look first; later, to follow the job', async (context) => {
  const signals = handSignals();
  const world = { process: signals.process };
  const input = lines(many(2));
  const early = await ask(
    ['batch', '-', '--yes'],
    () => {
      signals.interrupt();
      return 'silence';
    },
    { input, world },
  );
  assert.equal(early.status, 130, early.errors);
  assert.match(
    early.errors,
    /its outcome is unknown\n {2}Check what it created before you send it again\.\n$/,
  );

  const service = await answering(context, { 'POST batch': [job({ progressPercent: 41.6 })] });
  const clock = tickingClock(() => {
    signals.interrupt();
    return new Promise<never>(() => {});
  });
  const later = await service.wm(['batch', '-', '--yes'], { input, world: { ...world, clock } });
  assert.equal(later.status, 130, later.errors);
  assert.match(later.errors, /^1 of 1 request: job J1 no status, 42 %, 0 s\n/);
  assert.match(later.errors, /Sent so far: operations 1 to 2\. .* To follow it: wm batch --job J1\n$/);
});
