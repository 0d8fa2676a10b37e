// The tests of the keychain. A file that has some of them also runs itself, within a session of its own and as the child that may
// prompt.

import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { internalCommands } from '#internal-commands.ts';
import { orThrow } from '#login/keychain-token-store.ts';
import { PromptDeclined } from '#login/token-store.ts';
import { createTestClock } from '#test/support/clock.ts';
import { createClock } from '#world/clock.ts';
import { createKeychain, type KeychainOptions } from '#world/keychain.ts';
import { faultOf } from '#world/keychain-library.ts';
import { runKeychainProcess } from '#world/keychain-process.ts';

/** Whoever waited for it would not come to an end in a test. */
const outOfReachMs = 3_600_000;
const clock = createClock();
const canary = `canary-${'ä'.repeat(10)}😀`;

type Step = readonly ['read' | 'remove', string, string] | readonly ['write', string, string, string];

interface Errand {
  readonly steps: readonly Step[];
  readonly platform?: NodeJS.Platform;
  readonly promptMs?: number;
}

/** True in a process that a test has started: it has done what it was started for. */
export async function isChild(): Promise<boolean> {
  const [, file = '', role, what = ''] = process.argv;
  if (role === internalCommands.keychainProcess) await runKeychainProcess();
  else if (role === 'errand') await runErrand(JSON.parse(what), [process.execPath, file]);
  else return false;
  return true;
}

async function runErrand(
  { steps, platform = 'linux', promptMs = outOfReachMs }: Errand,
  self: KeychainOptions['self'],
): Promise<void> {
  const keychain = createKeychain({ environment: process.env, platform, self, promptMs, clock });
  const results: unknown[] = [];
  const took: number[] = [];
  for (const [action, service, account, secret = ''] of steps) {
    const before = performance.now();
    results.push(await keychain[action](service, account, secret));
    took.push(performance.now() - before);
  }
  process.stdout.write(JSON.stringify({ results, took }));
}

const linux = process.platform === 'linux';

interface Report {
  readonly results: readonly Record<string, unknown>[];
  readonly took: readonly number[];
}

// An empty password, but with its newline: without it there would be no keyring.
const unlocked = [
  'dbus-run-session',
  '--',
  'sh',
  '-c',
  'eval "$(printf \'\\n\' | gnome-keyring-daemon --unlock --components=secrets)"; "$@"',
  'sh',
];

/** `thisFile`: that of the tests. */
export function keychainTests(thisFile: string) {
  const folder = mkdtempSync(join(tmpdir(), 'wm-keychain-'));
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const self: KeychainOptions['self'] = [process.execPath, thisFile];
  function withoutService(isDeep: boolean): void {
    const skip = !linux && 'about the session bus of Linux';
    const steps: Step[] = [
      ['read', 'wm-test', 'a'],
      ['write', 'wm-test', 'a', canary],
      ['remove', 'wm-test', 'a'],
    ];

    test('without a session bus the keychain is missing, at once, and nothing is stored elsewhere', {
      skip,
    }, async () => {
      const buses: Record<string, string>[] = [{}];
      if (isDeep)
        buses.push({ XDG_RUNTIME_DIR: folder }, { DBUS_SESSION_BUS_ADDRESS: `unix:path=${folder}/gone` });
      for (const bus of buses) {
        // A display alone is no keychain.
        // The limit of a prompt is out of reach: whatever waited for one would not come to an end.
        const { results } = await errand({ steps, promptMs: outOfReachMs }, { ...bus, DISPLAY: ':77' });
        assert.deepEqual(
          results.map((result) => result['fault']),
          ['missing', 'missing', 'missing'],
        );
        if (!('DBUS_SESSION_BUS_ADDRESS' in bus))
          assert.match(String(results[0]?.['detail']), /no session bus/);
        // Straight to the library, in the child: it alone would have kept it in the kernel's memory.
        const unasked = await errand({ steps: isDeep ? steps : steps.slice(1, 2), platform: 'darwin' }, bus);
        assert.ok(unasked.results.every((result) => result['fault'] === 'missing'));
      }
    });

    test('after a request without a response, gives up the next one after a second', {
      skip,
    }, async () => {
      const limits: number[] = [];
      const moved = createTestClock(
        () => {},
        (milliseconds) => {
          limits.push(milliseconds);
          moved.advance(milliseconds);
        },
      );
      const bus = join(folder, 'silent-bus');
      const silent = createServer(() => {});
      await new Promise<void>((listening) => silent.listen(bus, listening));
      const silentKeychain = createKeychain({
        environment: { DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}` },
        platform: 'linux',
        self,
        clock: moved,
      });
      for (const action of ['read', 'remove', 'read'] as const) {
        const result = await silentKeychain[action]('wm-test', 'a');
        assert.equal('fault' in result && result.fault, 'timeout');
      }
      silent.close();
      assert.deepEqual(limits, [10_000, 1000, 1000]);
    });

    const bare = skip || (!has('dbus-run-session') && 'no dbus-run-session here');
    test('on a bus without a secret service the keychain is missing', { skip: bare }, async () => {
      const config = join(folder, 'bus.conf');
      await writeFile(
        config,
        `<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><policy context="default">
       <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`,
      );
      const { results } = await errand({ steps, promptMs: outOfReachMs }, {}, [
        'dbus-run-session',
        `--config-file=${config}`,
        '--',
      ]);
      assert.deepEqual(
        results.map((result) => result['fault']),
        ['missing', 'missing', 'missing'],
      );
    });
  }

  /** What does not need any keychain: the child, and the limit of Windows. On macOS everything goes to the child. */
  function withoutLibrary(): void {
    const keychain = (script: string, promptMs = 10_000) =>
      createKeychain({
        environment: { PATH: process.env['PATH'] },
        platform: 'darwin',
        self: [process.execPath, '-e', script],
        promptMs,
        clock,
      });

    test('ends a child that never responds', async () => {
      const pid = join(folder, 'pid');
      const script = `require('fs').writeFileSync(${JSON.stringify(pid)}, String(process.pid)); setInterval(() => {}, 9e6)`;
      const result = await keychain(script, 1000).read('wm-test', 'a');
      assert.equal('fault' in result && result.fault, 'timeout');
      // Where the machine was so slow that the child had not begun, there is no file; it is gone all the same.
      const child = await readFile(pid, 'utf8').catch(() => undefined);
      if (child !== undefined) assert.throws(() => process.kill(Number(child), 0), { code: 'ESRCH' });
    });

    test('distinguishes a declined or unanswered prompt from other faults', async () => {
      const says = (fault: string) =>
        `process.stdin.once('data', () => { process.stdout.write('{"fault":"${fault}","detail":""}'); process.exit() })`;
      const declined = [];
      for (const [script, promptMs] of [
        [says('locked'), 10_000],
        ['process.stdin.resume()', 300],
        [says('failed'), 10_000],
      ] as const) {
        const result = await keychain(script, promptMs).write('wm-test', 'a', canary);
        assert.ok('fault' in result);
        declined.push(result.isDeclined === true);
        if (result.isDeclined) assert.throws(() => orThrow(result), PromptDeclined);
        else
          assert.throws(
            () => orThrow(result),
            (error) => !(error instanceof PromptDeclined),
          );
      }
      assert.deepEqual(declined, [true, true, false]);
    });

    test('a child that responds with nonsense, or cannot be run, is a fault', async () => {
      for (const answer of ['', 'null', '{"fault":"other"}', '{"fault":"locked"}']) {
        const script = `process.stdin.once('data', () => { process.stdout.write(${JSON.stringify(answer)}); process.exit() })`;
        const result = await keychain(script).read('wm-test', 'a');
        assert.equal('fault' in result && result.fault, 'failed', answer);
      }
      const options = {
        environment: {},
        platform: 'darwin',
        self: [join(folder, 'nothing')],
        clock,
      } as const;
      const result = await createKeychain(options).write('wm-test', 'a', canary);
      assert.equal('fault' in result && result.fault, 'failed');
    });

    test('passes the secret to the child neither in arguments nor in the environment', async () => {
      const recordPath = join(folder, 'seen');
      const script = `process.stdin.once('data', (data) => {
      const { argv, env } = process;
      require('fs').writeFileSync(${JSON.stringify(recordPath)}, JSON.stringify([argv, env, String(data)]));
      process.stdout.write('{}');
      process.exit();
    })`;
      assert.deepEqual(await keychain(script).write('wm-test', 'a', canary), { written: true });
      const [argv, environment, input] = JSON.parse(await readFile(recordPath, 'utf8'));
      assert.equal(argv.at(-1), internalCommands.keychainProcess);
      assert.doesNotMatch(JSON.stringify([argv, environment]), /canary/);
      assert.equal(JSON.parse(input).secret, canary);
    });

    test('classifies the errors of other systems: no keychain at all, locked, too large', () => {
      for (const [message, fault] of [
        ['Couldn’t access platform secure storage: Windows ERROR_NO_SUCH_LOGON_SESSION', 'missing'],
        ['A specified logon session does not exist. It may already have been terminated.', 'missing'],
        ['No keychain is available. You may need to restart your computer.', 'missing'],
        ['A default keychain could not be found.', 'missing'],
        ['User interaction is not allowed.', 'locked'],
        ['User canceled the operation.', 'locked'],
        ['The user name or passphrase you entered is not correct.', 'locked'],
        ["Attribute 'password' is longer than platform limit of 2560 chars", 'too-large'],
        ['Platform failure: DBus error: Did not receive a reply. Possible causes include: …', 'timeout'],
        ['something else', 'failed'],
      ] as const)
        assert.equal(faultOf(new Error(message)).fault, fault, message);
    });

    test('a listed item that is missing: explains that two daemons may share a file, and the way out', () => {
      const { fault, detail } = faultOf(
        new Error(
          'zbus error: org.freedesktop.DBus.Error.UnknownMethod: Object does not exist at path “/org/x/1”',
        ),
      );
      assert.equal(fault, 'failed');
      assert.match(detail, /two keyring daemons .*end one; otherwise log out of the desktop and in again/);
      assert.doesNotMatch(detail, /zbus|UnknownMethod/);
    });

    test('Windows: more than fits into an item is too large', async () => {
      const windows = createKeychain({ environment: {}, platform: 'win32', self, clock });
      for (const secret of ['x'.repeat(1281), '😀'.repeat(641)]) {
        const result = await windows.write('wm-test', 'a', secret);
        assert.equal('fault' in result && result.fault, 'too-large');
      }
    });
  }

  function withKeyring(isDeep: boolean): void {
    const skip = lacking('dbus-run-session', 'gnome-keyring-daemon');
    const long = canary.repeat(1500);

    const ways = [
      ['in this process', 'linux'],
      ['in the child', 'darwin'],
    ] as const;
    for (const [way, platform] of isDeep ? ways : ways.slice(0, 1)) {
      test(`an unlocked keyring stores, replaces and deletes, ${way}`, { skip }, async () => {
        const home = newHome();
        const steps: Step[] = [
          ['read', 'wm-test', 'a'],
          ['remove', 'wm-test', 'a'],
          ['write', 'wm-test', 'a', 'first'],
          ['write', 'wm-test', 'b', long],
          ['write', 'wm-test', 'a', canary],
          ['read', 'wm-test', 'a'],
          ['read', 'wm-test', 'b'],
          ['read', 'wm-test', 'c'],
          ['read', 'wm-other', 'a'],
          ['remove', 'wm-test', 'b'],
          ['remove', 'wm-test', 'b'],
          ['read', 'wm-test', 'b'],
        ];
        const first = await errand({ steps, platform }, { HOME: home }, unlocked);
        assert.deepEqual(first.results, [
          {},
          { removed: false },
          { written: true },
          { written: true },
          { written: true },
          { secret: canary },
          { secret: long },
          {},
          {},
          { removed: true },
          { removed: false },
          {},
        ]);
        if (!isDeep) return;
        // A new session, as after a restart: it was kept on disk, and not in the kernel's memory.
        const again: Step[] = [['read', 'wm-test', 'a']];
        const second = await errand({ steps: again, platform }, { HOME: home }, unlocked);
        assert.deepEqual(second.results, [{ secret: canary }]);
      });
    }

    if (!isDeep) return;
    test('a locked keyring without a display is locked, at once', { skip }, async () => {
      const home = newHome();
      await errand({ steps: [['write', 'wm-test', 'a', canary]] }, { HOME: home }, unlocked);
      const steps: Step[] = [
        ['read', 'wm-test', 'a'],
        ['write', 'wm-test', 'a', 'other'],
        ['write', 'wm-other', 'a', 'other'],
        ['remove', 'wm-test', 'a'],
      ];
      const { results } = await errand({ steps, promptMs: outOfReachMs }, { HOME: home }, [
        'dbus-run-session',
        '--',
      ]);
      assert.deepEqual(
        results.map((result) => result['fault']),
        ['locked', 'locked', 'locked', 'locked'],
      );
      const after: Step[] = [['read', 'wm-test', 'a']];
      assert.deepEqual((await errand({ steps: after }, { HOME: home }, unlocked)).results, [
        { secret: canary },
      ]);
    });

    test('a secret service without any keyring cannot store anything', { skip }, async () => {
      const steps: Step[] = [
        ['read', 'wm-test', 'a'],
        ['write', 'wm-test', 'a', canary],
      ];
      const { results } = await errand({ steps }, { HOME: newHome() }, ['dbus-run-session', '--']);
      assert.deepEqual(results[0], {});
      assert.equal(results[1]?.['fault'], 'missing');
    });
  }

  /** A prompt on a screen that nobody looks at. */
  function withPrompt(): void {
    const skip = lacking('dbus-run-session', 'gnome-keyring-daemon', 'Xvfb');
    const steps: Step[] = [['read', 'wm-test', 'a']];

    test('waits for an unanswered prompt, then ends it', { skip }, async () => {
      const home = newHome();
      await errand({ steps: [['write', 'wm-test', 'a', canary]] }, { HOME: home }, unlocked);
      await onScreen(async (DISPLAY) => {
        const prompted = ['dbus-run-session', '--'];
        // Of a service unknown to the keyring, nothing tells that it is locked; to write there prompts all the same.
        const both: Step[] = [...steps, ['write', 'wm-other', 'a', canary]];
        const { results, took } = await errand(
          { steps: both, promptMs: 3000 },
          { HOME: home, DISPLAY },
          prompted,
        );
        assert.deepEqual(
          results.map((result) => result['fault']),
          ['timeout', 'timeout'],
        );
        assert.ok(
          took.every((milliseconds) => milliseconds >= 3000),
          `${took} ms`,
        );
      });
    });

    test('the prompt ends with the process that opened it', { skip }, async () => {
      const home = newHome();
      await errand({ steps: [['write', 'wm-test', 'a', canary]] }, { HOME: home }, unlocked);
      await onScreen(async (DISPLAY) => {
        // The shell kills the asker as soon as its child is there, and waits for the child to go too.
        const script = `
        "$0" "$@" & asker=$!
        until child=$(pgrep -P $asker -f __keychain-process); do read -t 0.1 _ < <(:); done
        sleep 1; kill -0 $child && kill -9 $asker; tail --pid=$child -f /dev/null; echo gone`;
        const wrapper = ['dbus-run-session', '--', 'bash', '-c', script];
        const command = [
          ...wrapper,
          process.execPath,
          thisFile,
          'errand',
          JSON.stringify({ steps, promptMs: 60_000 }),
        ];
        const { stdout } = await execute(command, { HOME: home, DISPLAY });
        assert.match(stdout, /^gone$/m);
      });
    });
  }

  function newHome(): string {
    return mkdtempSync(join(folder, 'home-'));
  }

  /** Runs an errand in an environment of its own: nothing of this machine's session gets in. */
  async function errand(
    what: Errand,
    environment: Record<string, string>,
    wrapper: string[] = [],
  ): Promise<Report> {
    const command = [...wrapper, process.execPath, thisFile, 'errand', JSON.stringify(what)];
    const { stdout } = await execute(command, environment);
    return JSON.parse(stdout.slice(stdout.indexOf('{"results"')));
  }

  function execute([file = '', ...rest]: string[], environment: Record<string, string>) {
    const env = { PATH: process.env['PATH'], HOME: folder, ...environment };
    return promisify(execFile)(file, rest, { env, timeout: 60_000 });
  }
  return { withoutService, withoutLibrary, withKeyring, withPrompt };
}

async function onScreen(use: (display: string) => Promise<void>): Promise<void> {
  const screen = spawn('Xvfb', ['-displayfd', '3'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  try {
    const pipe = screen.stdio[3];
    assert.ok(pipe);
    const [number] = await once(pipe, 'data');
    await use(`:${String(number).trim()}`);
  } finally {
    screen.kill();
    await once(screen, 'exit');
  }
}

function lacking(...programs: string[]): string | false {
  if (!linux) return 'gnome-keyring is a keychain of Linux';
  const missing = programs.filter((program) => !has(program));
  return missing.length > 0 && `not installed here: ${missing.join(', ')}`;
}

function has(program: string): boolean {
  return linux && spawnSync('sh', ['-c', 'command -v "$0"', program]).status === 0;
}
