// `emulator exec` puts this `wm` on the PATH of its command, wherever it is installed, and on Windows whatever the variable's name.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { copyFile, cp, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { argumentsOf } from '#test/support/process/cmd-exe.ts';
import { handSignals } from '#test/support/program/manual-signals.ts';
import { run } from '#test/support/program/program.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { createWorld } from '#world/create-world.ts';
import type { Environment, World } from '#world/world.ts';

const real = createWorld();

test('the command finds wm, whatever its installation folder is called', async (t) => {
  const folder = await ownFolder(t);
  const installed = join(folder, `it's "here" $HOME \`id\` 100%`, 'bin');
  await cp('bin', installed, { recursive: true });
  await symlink(resolve('dist'), join(installed, '..', 'dist'));
  await copyFile('package.json', join(installed, '..', 'package.json'));
  let shown = '';
  const process: World['process'] = {
    ...real.process,
    self: [globalThis.process.execPath, join(installed, 'wm.js')],
    start: (command, options) =>
      real.process.start(command, {
        ...options,
        streams: 'pipe',
        onErrors: (text) => assert.fail(text),
        onOutput: (text) => {
          shown += text;
        },
      }),
  };
  const { PATH } = globalThis.process.env;
  const ran = await run(['emulator', 'exec', '--', 'wm', '--version'], {
    environment: { PATH },
    world: { process },
  });
  assert.deepEqual([ran.status, ran.errors], [0, '']);
  assert.match(shown, /^\d+\.\d+\.\d+\n$/);
});

/** `exec` of a program that sends these, then ends with its status. */
function execSending(flags: readonly string[], requests: readonly string[], status = 0) {
  const code = `(async () => {
    for (const request of ${JSON.stringify(requests)}) {
      const [method, path, body] = request.split(' ');
      const headers = { Authorization: 'Bearer ' + process.env.WM_TOKEN };
      if (body) headers['Content-Type'] = 'application/x-www-form-urlencoded';
      await fetch(process.env.WM_EMULATOR_URL + '/api/v4' + path, { method, headers, body });
    }
    process.exitCode = ${status};
  })()`;
  return run(['emulator', 'exec', ...flags, '--', process.execPath, '-e', code]);
}

const comments = '/tasks/IEAAAAAQKQAB5BNG/comments';
const ignoring = [`POST ${comments} text=x&colour=red`, `POST ${comments} text=y&colour=red`];

test('--fail-on-ignored: exit 10 and a line for each kind of request with something ignored', async () => {
  const { status, output, errors } = await execSending(
    ['--fail-on-ignored'],
    [
      ...ignoring,
      'PUT /tasks/IEAAAAAQKQAB5BNG?title=a+b',
      'PUT /tasks/IEAAAAAQKQAB5BNG?title=x&state=1',
      `GET /account?fieldss=["metadata"]&${'x'.repeat(90)}`,
      'GET /approvals',
      'GET /approvals',
    ],
  );
  assert.deepEqual([status, output], [10, '']);
  assert.match(
    errors,
    new RegExp(
      `^(?:wm: .*\n)*wm: The emulator lacks these requests, ignored a part of them, or only assumes that they work
  POST /api/v4${comments}: ignored: colour; assumed: unknown-parameter.* \\(and 1 more\\)
  PUT /api/v4/tasks/IEAAAAAQKQAB5BNG\\?title=a\\+b: assumed: plus-sign
  GET /api/v4/account\\?fieldss=.*xxx\\.\\.\\.: ignored: fieldss, x+; assumed: .*
  GET /api/v4/approvals: not emulated; assumed: other-endpoints \\(and 1 more\\)\n  .*--strict.*\n$`,
    ),
  );
});

test('--fail-on-ignored: the exit status of the command wins, and is kept without the flag or ignored input', async () => {
  const failed = await execSending(['--fail-on-ignored'], ignoring, 7);
  assert.equal(failed.status, 7);
  assert.match(failed.errors, /ignored: colour/);
  for (const [flags, requests] of [
    [[], ignoring],
    // An assumption that its sender cannot avoid.
    [['--fail-on-ignored'], ['PUT /tasks/IEAAAAAQKQAB5BNG?title=x&state=1', 'GET /audit_log']],
    // What was rejected was not ignored.
    [['--fail-on-ignored', '--strict'], ignoring],
  ] as const) {
    const { status, errors } = await execSending(flags, requests);
    assert.deepEqual([status, errors.replace(/^wm: the parameter .*\n/gm, '')], [0, '']);
  }
});

test('Windows: keeps PATH under its original name, and the script contains no path', async () => {
  const self = ['C:\\Jörg\\100% node & more\\node.exe', 'C:\\Jörg\\wm.js'] as const;
  let childEnvironment: Environment = {};
  let script = '';
  const process: World['process'] = {
    ...real.process,
    platform: 'win32',
    self,
    onInterrupt: () => () => {},
    start(_, { environment }) {
      childEnvironment = environment;
      const bin = environment['Path']?.split(';').at(-1) ?? '';
      script = readFileSync(join(bin, 'wm.cmd'), 'utf8');
      return child(Promise.resolve(0));
    },
  };
  const ran = await run(['emulator', 'exec', '--', 'npm', 'test'], {
    environment: { Path: 'C:\\Windows;C:\\nodejs' },
    world: { process },
  });
  assert.deepEqual([ran.status, ran.errors], [0, '']);
  assert.equal(childEnvironment['PATH'], undefined);
  assert.match(String(childEnvironment['Path']), /^C:\\Windows;C:\\nodejs;/);
  assert.match(script, /^@[\x20-\x7e]+ %\*\r\n$/, 'the same in every code page');
  const line = script
    .slice(1)
    .trimEnd()
    .replaceAll(/%(\w+)%/g, (_, name: string) => childEnvironment[name] ?? '');
  assert.deepEqual(argumentsOf(line), [...self, '%*']);
});

for (const [platform, inherited, expected] of [
  ['linux', { PATH: '/usr/bin:/bin' }, { PATH: '/usr/bin:/bin:BIN' }],
  ['linux', { PATH: '' }, { PATH: 'BIN' }],
  ['linux', {}, { PATH: 'BIN' }],
  ['win32', { pAtH: 'C:\\Windows' }, { pAtH: 'C:\\Windows;BIN' }],
  ['win32', {}, { PATH: 'BIN' }],
] as const) {
  test(`${platform}: the PATH of ${JSON.stringify(inherited)} finds wm, and never searches the current folder`, async () => {
    let path: Environment = {};
    const process: World['process'] = {
      ...real.process,
      platform,
      onInterrupt: () => () => {},
      start(_, { environment }) {
        const bin = join(environment['WM_CONFIG_DIR'] ?? '', 'bin');
        const own = Object.entries(environment).filter(([name]) => name.toUpperCase() === 'PATH');
        path = Object.fromEntries(own.map(([name, text]) => [name, text?.replace(bin, 'BIN')]));
        return child(Promise.resolve(0));
      },
    };
    const ran = await run(['emulator', 'exec', '--', 'npm', 'test'], {
      environment: inherited,
      world: { process },
    });
    assert.deepEqual([ran.status, ran.errors], [0, '']);
    assert.deepEqual(path, expected);
  });
}

const child = (ended: Promise<number>, kill: ReturnType<World['process']['start']>['kill'] = () => {}) => ({
  ended,
  exited: ended,
  pid: () => undefined,
  detach: () => {},
  release: () => {},
  kill,
});

test('on a terminal, passes SIGTERM and SIGHUP on to the command; Ctrl-C has already reached it', async () => {
  const signals = handSignals();
  const killed: string[] = [];
  const process: World['process'] = {
    ...signals.process,
    start() {
      return child(
        new Promise((resolve) => {
          setImmediate(() => {
            for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) signals.interrupt(signal);
            resolve(7);
          });
        }),
        (signal) => killed.push(signal),
      );
    },
  };
  const { streams, texts } = collectStreams({ input: { isTerminal: true } });
  const { status } = await run(['emulator', 'exec', '--', 'npm', 'test'], { world: { process, streams } });
  assert.deepEqual([status, texts.errors], [7, '']);
  assert.deepEqual(killed, ['SIGHUP', 'SIGTERM']);
  assert.equal(signals.listeners.size, 0);
});
