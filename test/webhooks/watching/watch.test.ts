// `wm webhook watch`: the test moves its clock and, during each wait, changes something that the next poll sees.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { constants } from 'node:fs';
import { open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createTestClock, noon } from '#test/support/clock.ts';
import { handSignals } from '#test/support/program/manual-signals.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { type Step, watched } from '#test/support/program/watched.ts';
import { fail } from '#test/support/service/intercept.ts';
import { hooks } from '#test/support/service/scripted-service.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { createWorld } from '#world/create-world.ts';
import type { World } from '#world/world.ts';
import { answering } from '../records.ts';
import { withHooks } from '../three-webhooks.ts';
import { secret, startReceiver } from '../verification/receivers.ts';
import { verifying } from '../verification/verified.ts';

/** `intervalMs`: the value of --interval. */
const watchedHooks = async (context: TestContext, intervalMs = 60_000) =>
  watched(context, await withHooks(context), ['webhook', 'watch'], intervalMs);

const nothing: Step = () => {};

test('prints one line per change: suspended, resumed, new, missing', async (context) => {
  const { watch, wm, one, two } = await watchedHooks(context);
  let made = '';
  const ran = await watch(
    [],
    [
      () => wm(['webhook', 'suspend', one, '--yes']),
      nothing,
      async () => {
        await wm(['webhook', 'resume', one, '--no-verify']);
        made = JSON.parse(
          (await wm(['webhook', 'create', 'http://hooks.example.com/new', '--json'])).output,
        ).id;
      },
      () => wm(['webhook', 'delete', two, '--yes']),
    ],
  );
  assert.equal(ran.status, 130, ran.errors);
  const at = (minutes: number) => new Date(noon + minutes * 60_000).toISOString();
  assert.deepEqual(ran.output.split('\n').slice(0, -1), [
    `${at(1)}\tstatus\t${one}\tActive\tSuspended\thttp://hooks.example.com/one\t`,
    `${at(3)}\tstatus\t${one}\tSuspended\tActive\thttp://hooks.example.com/one\t`,
    `${at(3)}\tnew\t${made}\t\tActive\thttp://hooks.example.com/new\t`,
    `${at(4)}\tmissing\t${two}\tActive\t\thttp://hooks.example.com/two\t`,
  ]);
  assert.match(ran.errors, /^Watching 3 webhooks \(0 suspended\) every 60 s\. Press Ctrl-C to end\.$/m);
  assert.match(ran.errors, /to end\.\nEnded\.\n$/);
});

test('only the webhooks given; JSON lines; the interval', async (context) => {
  const { watch, wm, one, two } = await watchedHooks(context, 5_000);
  const ran = await watch(
    ['hooks.example.com/two', '--json', '--interval', '5'],
    [() => wm(['webhook', 'suspend', one, two, '--yes'])],
  );
  assert.deepEqual(ran.waits, [5_000, 5_000]);
  const events = ran.output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(events, [
    {
      at: new Date(noon + 5_000).toISOString(),
      change: 'status',
      id: two,
      before: 'Active',
      status: 'Suspended',
      hookUrl: 'http://hooks.example.com/two',
    },
  ]);
});

test('warns about a failed poll and backs off; reports changes made meanwhile', async (context) => {
  const { watch, wm, one, respondWith } = await watchedHooks(context);
  const ran = await watch(
    ['-q'],
    [
      () => respondWith((response) => fail(response, 403, 'access_forbidden')),
      nothing,
      async () => {
        respondWith(undefined);
        await wm(['webhook', 'suspend', one, '--yes']);
      },
      nothing,
    ],
  );
  assert.equal(ran.status, 130);
  assert.deepEqual(ran.waits, [60_000, 120_000, 240_000, 60_000, 60_000]);
  assert.equal(
    ran.errors.match(/Cannot read the webhooks: .*Next attempt in (120|240) s\./g)?.length,
    2,
    ran.errors,
  );
  assert.match(ran.output, /^\S+\tstatus\t\S+\tActive\tSuspended\t/);
});

test('the waits grow to 15 minutes, and a longer interval stays', async (context) => {
  for (const [interval, longest] of [
    [600, 900_000],
    [3_600, 3_600_000],
  ] as const) {
    const { watch, respondWith } = await watchedHooks(context);
    const down: Step = () => respondWith((response) => fail(response, 403, 'access_forbidden'));
    const ran = await watch(['--interval', `${interval}`], [down, nothing, nothing]);
    assert.deepEqual(ran.waits, [interval * 1000, longest, longest, longest]);
  }
});

test('stops if the first read fails', async (context) => {
  const { watch, respondWith } = await watchedHooks(context);
  respondWith((response) => fail(response, 403, 'access_forbidden'));
  const ran = await watch([], []);
  assert.equal(ran.status, 3);
});

test('--exec gets the event on standard input and in variables; the shell never parses its text', {
  skip: process.platform === 'win32' && 'needs /bin/sh',
}, async (context) => {
  const { watch, wm, one } = await watchedHooks(context);
  const { files } = createWorld();
  const folder = await files.makeTemporaryFolder('wm-watch-');
  context.after(() => files.removeFolder(folder));
  const evil = 'http://hooks.example.com/$(touch$IFS-injected);`id`';
  const made = await wm(['webhook', 'create', evil, '--json']);
  assert.equal(made.status, 0, made.errors);
  const { id } = JSON.parse(made.output);
  const [input, variables] = [join(folder, 'input'), join(folder, 'variables')];
  const script = `cat > ${input}; printf '%s|' "$WM_WATCH_CHANGE" "$WM_WATCH_ID" "$WM_WATCH_BEFORE" "$WM_WATCH_STATUS" "$WM_WATCH_URL" "$WM_WATCH_LABEL" > ${variables}; echo printed; exit 3`;
  const ran = await watch([id, '--exec', script], [() => wm(['webhook', 'suspend', id, one, '--yes'])]);
  assert.equal(ran.status, 130, ran.errors);
  const { hookUrl } = JSON.parse(await readFile(input, 'utf8'));
  assert.equal(await readFile(variables, 'utf8'), `status|${id}|Active|Suspended|${hookUrl}||`);
  assert.match(hookUrl, /touch/);
  assert.equal(ran.output.split('\n').length, 2, 'standard output has the event alone');
  assert.match(ran.errors, /^printed$/m);
  assert.ok(
    ran.errors.includes(`--exec exited with status 3 for the change of ${id}; wm continues.`),
    ran.errors,
  );
});

test('reports a command that cannot be run, and the next change', {
  skip: process.platform === 'win32' && 'needs /bin/sh',
}, async (context) => {
  const { watch, wm, one } = await watchedHooks(context);
  const ran = await watch(
    [one, '-q', '--exec', 'wm-no-such-command'],
    [() => wm(['webhook', 'suspend', one, '--yes']), () => wm(['webhook', 'resume', one, '--no-verify'])],
  );
  assert.equal(ran.errors.match(/--exec exited with status 127/g)?.length, 2, ran.errors);
  assert.equal(ran.output.trimEnd().split('\n').length, 2);
});

for (const [description, command] of [
  ['hangs', (pipe: string) => `exec cat ${pipe}`],
  ['leaves something behind that keeps its output open', (pipe: string) => `cat ${pipe} &`],
] as const) {
  test(`a command that ${description}: the watch continues without it, and says so`, {
    skip: process.platform === 'win32' && 'needs /bin/sh',
  }, async (context) => {
    const { wm, one, two } = await withHooks(context);
    const { files } = createWorld();
    const folder = await files.makeTemporaryFolder('wm-watch-');
    // The pipe has no writer until the end of the test, which ends its readers.
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    context.after(async () => {
      const end = await open(pipe, constants.O_RDWR | constants.O_NONBLOCK);
      await end.close();
      await files.removeFolder(folder);
    });
    const signals = handSignals();
    let polls = 0;
    const clock = createTestClock(
      (milliseconds) => {
        polls += milliseconds === 60_000 ? 1 : 0;
        if (polls === 3) return signals.interrupt();
        if (milliseconds < 60_000 || polls > 1) return clock.advance(milliseconds);
        void wm(['webhook', 'suspend', one, two, '--yes']).then(() => clock.advance(milliseconds));
      },
      (milliseconds) => {
        if (milliseconds === 5 * 60_000) clock.advance(milliseconds);
      },
    );
    const ran = await wm(['webhook', 'watch', one, two, '--exec', command(pipe)], {
      world: { clock, process: { ...signals.process, self: ['node'] } },
    });
    assert.equal(ran.status, 130, ran.errors);
    for (const id of [one, two])
      assert.ok(
        ran.errors.includes(
          `--exec has not ended 5 minutes after the change of ${id}; wm continues without it.`,
        ),
        ran.errors,
      );
    assert.equal(ran.output.trimEnd().split('\n').length, 2);
  });
}

test('on a terminal, prints a sentence per change, with the label', async (context) => {
  const { watch, wm, one, two, environment } = await watchedHooks(context);
  const folder = join(`${environment['WM_CONFIG_DIR']}`, 'state', 'webhooks');
  const addLabel: Step = async () => {
    for (const name of (await readdir(folder)).filter((file) => file.endsWith('.json'))) {
      const path = join(folder, name);
      const text = await readFile(path, 'utf8');
      await writeFile(path, text.replace(`"${one}": {`, `"${one}": {"label": "billing sync", `));
    }
    await wm(['webhook', 'suspend', one, '--yes']);
  };
  const { streams, texts } = collectStreams({ isTerminal: true, columns: 80 });
  let made = '';
  const ran = await watch(
    [],
    [
      addLabel,
      async () => {
        const { output } = await wm(['webhook', 'create', 'http://hooks.example.com/new', '--json']);
        made = JSON.parse(output).id;
        await wm(['webhook', 'delete', two, '--yes']);
      },
    ],
    { streams: { ...streams, errors: collectStreams().streams.errors } },
  );
  assert.equal(ran.status, 130);
  assert.deepEqual(texts.output.split('\n'), [
    `2026-01-05T12:01:00.000Z  http://hooks.example.com/one (${one}), billing sync: Active -> Suspended`,
    `2026-01-05T12:02:00.000Z  http://hooks.example.com/new (${made}): new, Active`,
    `2026-01-05T12:02:00.000Z  http://hooks.example.com/two (${two}): missing (was Active)`,
    '',
  ]);
});

test('exits with 0 once the reader of its output closes', async (context) => {
  const { watch, wm, one } = await watchedHooks(context);
  const { streams, texts } = collectStreams();
  const gone = { get: () => texts.output !== '' };
  const output = Object.defineProperty({ ...streams.output }, 'isReaderGone', gone);
  const ran = await watch([], [() => wm(['webhook', 'suspend', one, '--yes']), nothing], {
    streams: { ...streams, output },
  });
  assert.equal(ran.status, 0);
  assert.deepEqual(ran.waits, [60_000]);
});

test('on Windows, passes the command to the shell as typed', async (context) => {
  const { watch, wm, one } = await watchedHooks(context);
  const { process: real } = createWorld();
  const line = 'notify.cmd "a & b"';
  const started: unknown[] = [];
  const ran = await watch(
    [one, '--exec', line],
    [() => wm(['webhook', 'suspend', one, '--yes'])],
    {},
    {
      platform: 'win32',
      start(command, options) {
        started.push([options.shell, ...command]);
        const { shell: _, ...rest } = options;
        return real.start([process.execPath, '-e', ''], rest);
      },
    },
  );
  assert.equal(ran.status, 130, ran.errors);
  assert.deepEqual(started, [[true, line]]);
});

test('reads a webhook missing from the list by its id before reporting it missing', async (context) => {
  const webhook = {
    id: 'IEAAAAAQJAAAAAAB',
    accountId: 'IEAAAAAQ',
    hookUrl: 'http://a.example/',
    status: 'Suspended',
  };
  const { wm, asked } = await answering(context, {
    'GET webhooks': [hooks(webhook), hooks()],
    'GET webhooks/IEAAAAAQJAAAAAAB': [hooks(webhook)],
  });
  const once = await wm(['webhook', 'watch', '--once']);
  assert.equal(once.status, 10);
  const ran = await wm(['webhook', 'watch', 'IEAAAAAQJAAAAAAB', '--once']);
  assert.equal(ran.status, 10);
  assert.deepEqual(asked, ['GET webhooks', 'GET webhooks', 'GET webhooks/IEAAAAAQJAAAAAAB']);
});

test('records what it reads: list says since when', async (context) => {
  const { watch, wm, one, environment } = await watchedHooks(context);
  await watch([], [() => wm(['webhook', 'suspend', one, '--yes'])]);
  const path = join(`${environment['WM_CONFIG_DIR']}`, 'state', 'webhooks');
  const { files } = createWorld();
  const texts = await Promise.all(
    (await files.list(path)).map((name) => readFile(join(path, name)).catch(() => '')),
  );
  assert.ok(
    texts.some((text) => String(text).includes(`"${one}": `)),
    'the status of the webhook is on record',
  );
});

test('--resume-when-healthy obeys --max-resumes and --within', async (context) => {
  const service = await verifying(context);
  const receiver = await startReceiver(context);
  const id = await service.create(receiver.url, ['--events', 'TaskCreated'], secret);
  const { http } = createWorld();
  const limits = new Set<number | undefined>();
  const recording: World['http'] = {
    send(request, options) {
      if (request.url.startsWith(receiver.url)) limits.add(options.timeoutMs);
      return http.send(request, options);
    },
  };
  const watch = async () => {
    await call(service.emulator, 'PUT', `/webhooks/${id}?status=Suspended`);
    const flags = ['--resume-when-healthy', '--max-resumes', '1', '--within', '290', '--once'];
    return service.wm(['webhook', 'watch', ...flags], {
      environment: { WM_WEBHOOK_SECRET: secret },
      world: { http: recording },
    });
  };
  assert.match((await watch()).errors, /^Resumed: /m);
  assert.match(
    (await watch()).errors,
    /^Not resumed: .*: it was resumed once within 24 hours \(--max-resumes 1\)$/m,
  );
  assert.deepEqual([...limits], [290_000]);
});
