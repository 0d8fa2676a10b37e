// A command as a target, with real processes: what it gets, what its exit status means, and that none outlives its time.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createExecTarget, type ExecTargetOptions } from '#receiver/core/forwarding/exec-target.ts';
import type { StoredDelivery } from '#receiver/core/intake/delivery-journal.ts';
import { createTestClock } from '#test/support/clock.ts';
import { createClock } from '#world/clock.ts';
import { createProcesses } from '#world/process.ts';
import type { Clock } from '#world/world.ts';
import { bodyOf, sampleDelivery } from '../intake/samples.ts';

const skip = process.platform === 'win32' && 'the commands are for a POSIX shell';
const processes = createProcesses();
const noAbort = () => new AbortController().signal;

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wm-exec-'));
});
after(() => rm(folder, { recursive: true }));

const body = '[{"eventType":"TaskCreated","taskId":"T1"},{"eventType":"FolderCreated","folderId":"F1"}]';
const deliveryOf = (content: string | Uint8Array, headers: StoredDelivery['headers'] = []) =>
  sampleDelivery({
    sequence: 1042,
    headers,
    body: typeof content === 'string' ? bodyOf(content) : content,
    idempotencyKey: 'key',
  });

function targetOf(command: string, clock: Clock = createClock(), onOutput = (_: string) => {}) {
  const start: ExecTargetOptions['start'] = (variables, run) =>
    processes.start(['/bin/sh', '-c', command], {
      environment: { ...process.env, FOLDER: folder, ...variables },
      streams: 'pipe',
      ownGroup: true,
      ...run,
    });
  return createExecTarget({ clock }, { start, timeoutMs: 60_000, onOutput });
}

test('the command gets the body on its standard input, and everything else in variables', {
  skip,
}, async () => {
  const bytes = Uint8Array.of(0x5b, 0x00, 0xff, 0xfe, 0x5d);
  const copied = await targetOf('cat > "$FOLDER/bytes"').send(deliveryOf(bytes), 1, noAbort());
  assert.deepEqual([copied.verdict, copied.outcome], ['forwarded', 'exit 0']);
  assert.deepEqual(await readFile(join(folder, 'bytes')), Buffer.from(bytes));

  const names = ['DELIVERY', 'ATTEMPT', 'EVENT', 'SUBJECT', 'TASK', 'SIGNATURE', 'IDEMPOTENCY_KEY'];
  const show = `printf '%s|' ${names.map((name) => `"$WM_${name}"`).join(' ')}`;
  const shown: string[] = [];
  const target = targetOf(show, createClock(), (text) => shown.push(text));
  await target.send(deliveryOf(body, [['x-HOOK-signature', 'ab']]), 3, noAbort());
  assert.equal(shown.join(''), '1042|3|TaskCreated,FolderCreated|T1,F1|T1|ab|key|');
});

test('the shell never parses text from the service', { skip }, async () => {
  const hostile = '$(touch "$FOLDER/hacked"); `touch "$FOLDER/hacked"`';
  const event = JSON.stringify({ eventType: hostile, taskId: hostile });
  const shown: string[] = [];
  const target = targetOf('echo "$WM_EVENT"', createClock(), (text) => shown.push(text));
  assert.equal((await target.send(deliveryOf(event), 1, noAbort())).verdict, 'forwarded');
  assert.equal(shown.join(''), `${hostile}\n`);
  await assert.rejects(readFile(join(folder, 'hacked')), { code: 'ENOENT' });
});

test('the command starts even if a value does not fit into a variable', { skip }, async () => {
  const zero = JSON.stringify({ eventType: 'a\0b', taskId: 'T' });
  const many = JSON.stringify(
    Array.from({ length: 20_000 }, (_, i) => ({ eventType: `E${i}`, taskId: `T${i}ü` })),
  );
  for (const content of [zero, many, JSON.stringify({ eventType: 'x'.repeat(1_000_000) })]) {
    const { outcome } = await targetOf('cat > /dev/null').send(deliveryOf(content), 1, noAbort());
    assert.equal(outcome, 'exit 0');
  }
});

test('the exit status is the verdict; the output is the detail', { skip }, async () => {
  const shown: string[] = [];
  const target = targetOf('echo out; echo err >&2; exit 7', createClock(), (text) => shown.push(text));
  const { verdict, outcome, detail } = await target.send(deliveryOf(body), 1, noAbort());
  assert.deepEqual([verdict, outcome], ['retry', 'exit 7']);
  assert.deepEqual((detail ?? '').split('\n').toSorted(), ['', 'err', 'out']);
  assert.equal(shown.join(''), detail);
});

test('only the exit of the command counts, not that of its background processes', { skip }, async () => {
  // The real clock: were it waited for, the run would take until its time limit.
  const command = `tail -f /dev/null & echo $! > "$FOLDER/left"; printf '%100000s' out; exit "$WM_ATTEMPT"`;
  let length = 0;
  const target = targetOf(command, createClock(), (text) => {
    length += text.length;
  });
  for (const [status, verdict] of [
    [0, 'forwarded'],
    [3, 'retry'],
  ] as const) {
    length = 0;
    const result = await target.send(deliveryOf(body), status, noAbort());
    const pid = Number(await readFile(join(folder, 'left'), 'utf8'));
    // Throws if it was ended.
    process.kill(pid, 0);
    process.kill(pid);
    assert.deepEqual([result.verdict, result.outcome], [verdict, `exit ${status}`]);
    assert.equal(length, 64 * 1024, 'all that it printed was read');
  }
});

test('if the command cannot start, the target is unavailable for all deliveries', { skip }, async () => {
  for (const [command, outcome] of [
    ['wm-no-such-command', 'exit 127'],
    ['"$FOLDER"', 'exit 126'],
  ] as const) {
    const result = await targetOf(command).send(deliveryOf(body), 1, noAbort());
    assert.deepEqual([result.verdict, result.outcome], ['unavailable', outcome]);
  }
});

test('a run that exits like a missing command fails on its own if other runs start', { skip }, async () => {
  // As a script that ends with 127 for one delivery, for whatever reason.
  const target = targetOf('exit "$(cat)"');
  const run = async (sequence: number, status: number) => {
    const { verdict } = await target.send({ ...deliveryOf(String(status)), sequence }, 1, noAbort());
    return `${sequence}: ${status} ${verdict}`;
  };
  const verdicts: string[] = [];
  for (const [sequence, status] of [
    // Nothing is known yet.
    [1, 127],
    [2, 0],
    // Others start.
    [1, 127],
    [3, 5],
    [1, 126],
    // However often: the others did start.
    [1, 127],
    // Another one, which may be such a delivery too.
    [2, 127],
    // Two that are not known for it, and none has started since: the command may be gone by now.
    [3, 127],
    [2, 127],
    [4, 0],
    [2, 127],
    [3, 126],
    [2, 127],
  ] as const)
    verdicts.push(await run(sequence, status));
  assert.deepEqual(verdicts, [
    '1: 127 unavailable',
    '2: 0 forwarded',
    '1: 127 retry',
    '3: 5 retry',
    '1: 126 retry',
    '1: 127 retry',
    '2: 127 retry',
    '3: 127 unavailable',
    '2: 127 unavailable',
    '4: 0 forwarded',
    '2: 127 retry',
    '3: 126 retry',
    '2: 127 retry',
  ]);
});

test('a command does not have to read its input, however long it is', { skip }, async () => {
  const long = new Uint8Array(4 * 1024 * 1024).fill(0x20);
  const results = await Promise.all(
    ['exit 0', 'exec <&-; exit 3', 'head -c 10 > /dev/null'].map((command) =>
      targetOf(command).send(deliveryOf(long), 1, noAbort()),
    ),
  );
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ['exit 0', 'exit 3', 'exit 0'],
  );
});

test("only 64 KB of a run's output are shown", { skip }, async () => {
  let length = 0;
  const target = targetOf('head -c 1000000 /dev/zero', createClock(), (text) => {
    length += text.length;
  });
  const { outcome, detail } = await target.send(deliveryOf(body), 1, noAbort());
  assert.deepEqual([outcome, length, detail?.length], ['exit 0', 64 * 1024, 1000]);
});

test('ends a run that takes too long, with its children, whatever its status', {
  skip,
}, async () => {
  // The clock moves on once the child of the shell runs, and never again. That child holds the pipe: as long as it lives, the run
  // has not ended.
  const clock = createTestClock();
  const target = targetOf('trap "exit 0" TERM; sh -c "echo ready; exec sleep 600" & wait', clock, () =>
    clock.advance(60_000),
  );
  const { verdict, outcome } = await target.send(deliveryOf(body), 1, noAbort());
  assert.deepEqual([verdict, outcome], ['retry', 'timeout']);
});

test('a command that ignores SIGTERM is killed after 5 seconds', { skip }, async () => {
  const clock = createTestClock(undefined, (milliseconds) => {
    if (milliseconds === 5000) clock.advance(5000);
  });
  const target = targetOf('trap "" TERM; echo ready; while :; do sleep 600; done', clock, () =>
    clock.advance(60_000),
  );
  const { outcome } = await target.send(deliveryOf(body), 1, noAbort());
  assert.equal(outcome, 'timeout');
});

test('stop ends the run', { skip }, async () => {
  const stop = new AbortController();
  const target = targetOf('echo ready; exec sleep 600', createClock(), () => stop.abort());
  assert.equal((await target.send(deliveryOf(body), 1, stop.signal)).outcome, 'aborted');
  assert.equal((await target.send(deliveryOf(body), 1, stop.signal)).outcome, 'aborted');
});
