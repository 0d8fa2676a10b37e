// `wm webhook watch --resume-when-healthy`: resumes what the service suspended once the receiver passes all checks, never what a
// user suspended, and not more often than the limit. The test moves the clock, and changes something in each wait.

import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { EmulatorOptions } from '#emulator/emulator.ts';
import { createTestClock, noon } from '#test/support/clock.ts';
import { clockAt } from '#test/support/program/emulated.ts';
import { handSignals } from '#test/support/program/manual-signals.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { localPath } from '../local-records.ts';
import { isHandshake, respondRightly, secret, startReceiver } from '../verification/receivers.ts';
import { verifying } from '../verification/verified.ts';

type Step = () => unknown;
type Variables = Readonly<Record<string, string>>;

const withSecret: Variables = { WM_WEBHOOK_SECRET: secret };

const nothing: Step = () => {};
const minute = 60_000;

async function watched(context: TestContext, options: EmulatorOptions = {}) {
  const service = await verifying(context, options);
  const receiver = await startReceiver(context);
  let now = noon;
  /** In the time of the watcher, since the history is sorted by month. */
  const wm = (argv: readonly string[], environment: Variables = withSecret) =>
    service.wm(argv, { world: { clock: clockAt(now) }, environment });
  const create = async (path = '', argv: readonly string[] = [], environment: Variables = withSecret) => {
    const made = await wm(
      [
        ...['webhook', 'create', `${receiver.url}${path}`, '--events', 'TaskStatusChanged'],
        ...['--no-verify', '--json', ...argv],
      ],
      environment,
    );
    assert.equal(made.status, 0, made.errors);
    return String(JSON.parse(made.output).id);
  };
  const id = await create();
  const statusAt = async (webhookId = id) => {
    const { body } = await call(service.emulator, 'GET', `/webhooks/${webhookId}`);
    return body.data[0].status;
  };
  return {
    ...service,
    receiver,
    id,
    create,
    wm,
    statusAt,
    /** As the service does it, or a user elsewhere. */
    suspend: async (webhookId = id) =>
      void (await call(service.emulator, 'PUT', `/webhooks/${webhookId}?status=Suspended`)),
    pass(milliseconds: number) {
      now += milliseconds;
    },
    runWith: (argv: readonly string[], signals: ReturnType<typeof handSignals>) =>
      service.wm(argv, {
        environment: { WM_WEBHOOK_SECRET: secret },
        // The clock stands still: an abandoned wait ends with the process.
        world: { clock: createTestClock(), process: { ...signals.process, self: ['node'] } },
      }),
    /** Each step happens in one wait; in the wait after the last one the user presses Ctrl-C. */
    async watch(argv: readonly string[], steps: readonly Step[], environment: Variables = withSecret) {
      const signals = handSignals();
      const remaining = [...steps];
      const started = now;
      const clock = createTestClock((milliseconds) => {
        if (milliseconds < minute) return clock.advance(milliseconds);
        const step = remaining.shift();
        if (!step) return signals.interrupt();
        void Promise.resolve(step()).then(() => {
          now += milliseconds;
          clock.advance(milliseconds);
        });
      });
      clock.advance(started - noon);
      return service.wm(['webhook', 'watch', '--resume-when-healthy', '--within', '300', ...argv], {
        environment,
        world: { clock, process: { ...signals.process, self: ['node'] } },
      });
    },
  };
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

test('suspended by the service, and the receiver works: sends all samples, resumes, reports an event', async (context) => {
  const { watch, suspend, statusAt, receiver, id, folder } = await watched(context);
  const file = join(folder, 'events');
  const exec = process.platform === 'win32' ? [] : ['--exec', `cat >> ${file}`];
  const before = receiver.arrived.length;
  const ran = await watch(['--json', ...exec], [suspend, nothing]);
  assert.equal(ran.status, 130);
  assert.equal(await statusAt(), 'Active');
  const events = ran.output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    events.map(({ before: was, status, byWm }) => [was, status, byWm]),
    [
      ['Active', 'Suspended', undefined],
      ['Suspended', 'Active', true],
    ],
  );
  if (exec.length > 0) assert.equal(await readFile(file, 'utf8'), ran.output);
  assert.ok(
    ran.errors.includes(
      `Resumed: ${receiver.url} (${id}), read back from the service. Its receiver passed all checks. wm resumes it at most 3 times in 24 hours.\n`,
    ),
    ran.errors,
  );
  const bodies = receiver.arrived.slice(before).map(({ body }) => body);
  assert.ok(bodies.some(isHandshake));
  assert.ok(
    bodies.some((body) => body.includes('addedByTheService')),
    'also the variations, which a short look leaves out',
  );
});

test('reports a rejected attempt, and makes it again', async (context) => {
  const { watch, suspend, statusAt, control } = await watched(context);
  const fault = { request: 'getWebhooks', status: 403, error: 'access_forbidden' };
  const ran = await watch([], [() => control('faults', fault).then(() => suspend()), nothing, nothing]);
  assert.equal(ran.status, 130);
  assert.match(ran.errors, /^Not resumed: .*: The service responded with 403 .*\n(?:.*\n)*Resumed: /m);
  assert.equal(await statusAt(), 'Active', ran.errors);
});

test('sends all samples if its events are unknown', async (context) => {
  const { watch, suspend, statusAt, receiver, environment, wm } = await watched(context, { mode: 'bare' });
  await rm(localPath(environment));
  await wm(['webhook', 'list']);
  const ran = await watch(['-q'], [suspend]);
  assert.equal(await statusAt(), 'Active', ran.errors);
  for (const event of ['TaskStatusChanged', 'FolderCreated', 'WorkItemTypeChanged'])
    assert.ok(
      receiver.arrived.some(({ body }) => body.includes(`"${event}"`)),
      event,
    );
});

const note = 'ticket 4711';
type Watched = Awaited<ReturnType<typeof watched>>;
const onPurpose: readonly [string, (all: Watched) => Promise<unknown>, RegExp][] = [
  [
    'suspended by the service, and then with wm, which had nothing to change',
    async ({ wm, id, suspend }) => {
      await suspend();
      await wm(['webhook', 'suspend', id, '--yes']);
    },
    /wm webhook suspend was run for it while it was suspended, so it is to stay suspended$/m,
  ],
  [
    'suspended with wm, and the history is gone',
    async ({ wm, id, environment }) => {
      await wm(['webhook', 'suspend', id, '--yes']);
      await rm(join(`${environment['WM_CONFIG_DIR']}`, 'state', 'history'), { recursive: true });
    },
    /: wm suspended it from this machine$/m,
  ],
  [
    'resumed with wm after it was suspended with wm, without an outcome',
    async ({ wm, id, environment, suspend }) => {
      await wm(['webhook', 'suspend', id, '--yes']);
      await wm(['webhook', 'resume', id, '--no-verify', '--yes']);
      await suspend();
      const { readdir, writeFile } = await import('node:fs/promises');
      const log = join(`${environment['WM_CONFIG_DIR']}`, 'state', 'history');
      for (const name of await readdir(log)) {
        const lines = (await readFile(join(log, name), 'utf8')).trimEnd().split('\n');
        await writeFile(join(log, name), `${lines.slice(0, -1).join('\n')}\n`);
      }
    },
    /was wm webhook suspend, so it may be suspended on purpose$/m,
  ],
  [
    'suspended before wm first saw it',
    async ({ environment, suspend }) => {
      await suspend();
      await rm(localPath(environment));
    },
    /wm has never seen it active, so a user may have suspended it on purpose$/m,
  ],
];

for (const [description, prepare, reason] of onPurpose)
  test(`${description}: keeps it suspended, sends nothing to its receiver, and says so once`, async (context) => {
    const all = await watched(context);
    await prepare(all);
    const before = all.receiver.arrived.length;
    const ran = await all.watch(['-q'], [nothing, nothing, nothing, nothing]);
    assert.equal(await all.statusAt(), 'Suspended');
    assert.match(ran.errors, reason);
    assert.equal(count(ran.errors, /^Not resumed: /gm), 1, ran.errors);
    assert.equal(all.receiver.arrived.length, before);
  });

test('resumed with wm since: treats the next suspension as one by the service', async (context) => {
  const { watch, wm, id, suspend, statusAt } = await watched(context);
  await wm(['webhook', 'suspend', id, '--yes', '--note', note]);
  await wm(['webhook', 'resume', id, '--no-verify', '--yes']);
  const ran = await watch(['-q'], [suspend]);
  assert.equal(await statusAt(), 'Active', ran.errors);
});

test('a failing receiver: each attempt gives the reason, at growing intervals; resumes once it works', async (context) => {
  const { watch, suspend, statusAt, receiver } = await watched(context);
  receiver.respond = () => ({ status: 404 });
  await suspend();
  // Attempts at minutes 0, 2, 6 and 14.
  const sick = await watch(
    ['-q'],
    Array.from({ length: 7 }, () => nothing),
  );
  assert.equal(await statusAt(), 'Suspended');
  assert.equal(
    count(
      sick.errors,
      /^Not resumed: \S+ \(\S+\): its receiver fails a check \(handshake: 404: nothing is at/gm,
    ),
    3,
    sick.errors,
  );
  const steps = Array.from({ length: 14 }, (): Step => nothing);
  steps[10] = () => {
    receiver.respond = respondRightly();
  };
  const mended = await watch(['-q'], steps);
  assert.equal(await statusAt(), 'Active', mended.errors);
  assert.equal(count(mended.errors, /^Not resumed: /gm), 3, mended.errors);
});

test('does not resume without the secret, unless the webhook has none', async (context) => {
  const { watch, suspend, statusAt, receiver, id, create } = await watched(context);
  receiver.respond = () => ({ status: 200 });
  await suspend();
  const ran = await watch(['-q', '--once', id], [], {});
  assert.equal(ran.status, 10, ran.errors);
  assert.equal(await statusAt(), 'Suspended');
  assert.match(
    ran.errors,
    /^Not resumed: .*: its receiver could not be checked \(handshake: the secret is unknown\)$/m,
  );
  const unsigned = await create('/unsigned', [], {});
  await suspend(unsigned);
  const without = await watch(['-q', '--once', unsigned], [], {});
  assert.equal(without.status, 0, without.errors);
  assert.equal(await statusAt(unsigned), 'Active');
});

test('--once: status 0 if all were resumed, else 10', async (context) => {
  const { watch, suspend, statusAt, create, id } = await watched(context);
  const otherId = await create('/other');
  await suspend();
  const ran = await watch(['--once'], []);
  assert.equal(ran.status, 0, ran.errors);
  assert.match(ran.errors, new RegExp(`^Resumed: \\S+ \\(${id}\\)`, 'm'));
  assert.equal(ran.output, '');
  await suspend(otherId);
  const none = await watch(['--once'], [], { WM_WEBHOOK_SECRET: 'kF7Qe2' });
  assert.equal(none.status, 10, none.errors);
  assert.match(none.output, new RegExp(`^${otherId}\tSuspended\t`));
  assert.equal(await statusAt(otherId), 'Suspended');
});

test('resumes at most --max-resumes times in 24 hours, across processes', async (context) => {
  const { watch, suspend, statusAt, pass } = await watched(context);
  const ran = await watch(['--max-resumes', '2'], [suspend, suspend, suspend, nothing]);
  assert.equal(count(ran.errors, /^Resumed: /gm), 2, ran.errors);
  const reason = /^Not resumed: .*: it was resumed 2 times within 24 hours \(--max-resumes 2\)$/gm;
  assert.equal(count(ran.errors, reason), 1, ran.errors);
  const again = await watch(['--max-resumes', '2'], []);
  assert.equal(count(again.errors, reason), 1, again.errors);
  assert.equal(await statusAt(), 'Suspended');
  pass(24 * 60 * minute);
  const later = await watch(['--max-resumes', '2'], []);
  assert.equal(await statusAt(), 'Active', later.errors);
});

test('respects a suspension made while the receiver is verified', async (context) => {
  const { watch, wm, id, suspend, statusAt, receiver } = await watched(context);
  const right = respondRightly();
  let suspension: Promise<unknown> | undefined;
  receiver.respond = async (arrived) => {
    suspension ??= wm(['webhook', 'suspend', id, '--yes', '--note', note]);
    await suspension;
    return right(arrived);
  };
  const ran = await watch(['-q'], [suspend]);
  assert.equal(await statusAt(), 'Suspended');
  assert.match(ran.errors, /^Not resumed: .*: it has a note by Ada Fields: ticket 4711$/m);
});

test('Ctrl-C while verifying a receiver changes nothing', async (context) => {
  const { suspend, statusAt, receiver, runWith } = await watched(context);
  await suspend();
  const signals = handSignals();
  receiver.respond = () => {
    signals.interrupt();
    return new Promise(() => {});
  };
  const ran = await runWith(['webhook', 'watch', '--resume-when-healthy', '--within', '300'], signals);
  assert.equal(ran.status, 130, ran.errors);
  assert.equal(await statusAt(), 'Suspended');
});
