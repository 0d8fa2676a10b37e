// The WM_ variables: one that carries a value and is set but empty stops every command before anything is sent, and a
// line break left at the end of a value by reading it from a file is removed, or named where it may be meant.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { otherVariables, variables } from '#cli/environment-variables.ts';
import { secrets } from '#test/support/service/auth-service.ts';
import { makePerson } from '#test/support/sign-in/person.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';
import { createProcesses } from '#world/process.ts';

/** By hand, apart from the program's table. */
const withValue = [
  'WM_TOKEN',
  'WM_HOST',
  'WM_PROFILE',
  'WM_AUTH_URL',
  'WM_CLIENT_ID',
  'WM_CLIENT_SECRET',
  'WM_CALLBACK_PORT',
  'WM_TOKEN_STORE',
  'WM_CONFIG_DIR',
  'WM_WEBHOOK_SECRET',
  'WM_SINK_USER',
  'WM_SINK_PASSWORD',
  'WM_SINK_TOKEN',
  'WM_SINK_NKEY',
  'WM_EMULATOR_URL',
  'WM_PAGER',
];
/** Empty, a switch is off, but for the one that keeps a pipeline from changing anything. */
const switches = ['WM_NO_INPUT', 'WM_READ_ONLY', 'WM_DEBUG'];
const safetySwitch = 'WM_READ_ONLY';
/** The build's, a placeholder that --curl prints, an error code, and what wm sets for the programs that it starts. */
const notRead = [
  ...['WM_VERSION', 'WM_HOOK_LOGIN', 'WM_ADDRESS', 'WM_ATTEMPT', 'WM_DELIVERY', 'WM_EVENT'],
  ...['WM_IDEMPOTENCY_KEY', 'WM_REDELIVERED', 'WM_SIGNATURE', 'WM_SUBJECT', 'WM_TASK'],
  ...['BEFORE', 'CHANGE', 'ID', 'LABEL', 'STATUS', 'URL'].map((name) => `WM_WATCH_${name}`),
];

const service = await serviceForAll();
const person = personForEach();

const lines = [
  [],
  ['whoami'],
  ['login', '--yes'],
  ['auth', 'list'],
  ['doctor'],
  ['webhook', 'create', 'https://example.com/hook'],
  ['webhook', 'create', 'https://example.com/hook', '--dry-run'],
  ['webhook', 'events'],
  ['task', 'update', 'IEAAAAAQKQAB5BNG', '--status', 'Completed'],
  ['emulator', 'reset'],
  ['emulator', 'assumptions'],
];

for (const name of [...withValue, safetySwitch]) {
  test(`${name} set but empty: exit 2 from every command, nothing sent`, async () => {
    for (const value of ['', '\n', '\r\n']) {
      for (const line of value === '' ? lines : lines.slice(0, 2)) {
        const environment = {
          HOME: person.folder,
          WM_TOKEN: secrets.access,
          WM_HOST: service.host,
          WM_AUTH_URL: service.url,
          WM_CLIENT_ID: 'app',
          WM_CLIENT_SECRET: secrets.clientSecret,
          [name]: value,
        };
        const ran = await person.wm(line, { exit: 2, environment });
        assert.match(ran.errors, new RegExp(`^wm: ${name} is set but empty\n`));
        assert.ok(ran.errors.includes(`unset ${name}\n`), ran.errors);
        assert.equal(ran.output, '');
      }
    }
    assert.deepEqual([service.calls, service.exchanges, person.consent], [[], [], undefined]);
  });
}

test('lists all empty variables at once, and the printed command unsets them', async () => {
  const environment = { WM_HOST: '', WM_PROFILE: '', WM_WEBHOOK_SECRET: '' };
  const { errors } = await person.wm(['webhook', 'events'], { exit: 2, environment });
  assert.match(errors, /^wm: WM_HOST, WM_PROFILE and WM_WEBHOOK_SECRET are set but empty\n/);
  const command = /unset [A-Z_ ]+$/m.exec(errors)?.[0];
  const script = `${command}; exec "$NODE" bin/wm.js webhook events`;
  const env = { PATH: process.env['PATH'], NODE: process.execPath, ...environment };
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { env });
  assert.match(stdout, /TaskCreated/);
});

test('PowerShell has another command to unset them', async () => {
  const world = { process: { ...createProcesses(), platform: 'win32' as const } };
  const { errors } = await person.wm(['whoami'], {
    exit: 2,
    environment: { WM_HOST: '', WM_PROFILE: '' },
    world,
  });
  assert.match(errors, /unset them: Remove-Item Env:WM_HOST, Env:WM_PROFILE\n/);
});

test('still shows help and the version, and an empty boolean variable is off', async () => {
  const environment = Object.fromEntries([...withValue, ...switches].map((name) => [name, '']));
  for (const line of [['--help'], ['--version'], ['webhook', 'create', '--help'], ['auth'], ['help']]) {
    await person.wm(line, { environment });
  }
  const off = Object.fromEntries(switches.filter((name) => name !== safetySwitch).map((name) => [name, '']));
  await person.wm(['webhook', 'events'], { environment: off });
});

test('removes line breaks at the end of a value that was read from a file', async () => {
  await fc.assert(
    fc.asyncProperty(fc.stringMatching(/^[\r\n]{1,4}$/), async (end) => {
      service.calls.length = 0;
      const environment = { WM_TOKEN: secrets.access + end, WM_HOST: service.host + end };
      await person.wm(['whoami'], { environment });
      assert.equal(service.calls[0]?.headers.authorization, `Bearer ${secrets.access}`);
    }),
    { numRuns: 25 },
  );
  await person.wm(['login'], {
    environment: {
      WM_AUTH_URL: `${service.url}\n`,
      WM_CLIENT_ID: 'app\n',
      WM_CLIENT_SECRET: `${secrets.clientSecret}\r\n`,
      WM_PROFILE: 'work\n',
      WM_TOKEN_STORE: 'file\n',
      WM_CALLBACK_PORT: '0\n',
    },
  });
  assert.match(service.exchanges[0]?.body ?? '', /client_id=app&client_secret=canary-client-secret&/);
  assert.equal((await person.item('work')).clientSecret, secrets.clientSecret);
});

test('does not show a token with an invalid character', async () => {
  for (const token of [`${secrets.access} x`, `${secrets.access}\nx`, ` ${secrets.access}`, 'canary-é']) {
    const environment = { WM_TOKEN: token, WM_HOST: service.host };
    const ran = await person.wm(['whoami'], { exit: 2, environment });
    assert.match(ran.errors, /^wm: WM_TOKEN contains a character that is not allowed in a token\n/);
  }
});

for (const name of ['WM_WEBHOOK_SECRET', 'WM_CONFIG_DIR']) {
  test(`${name} with a line break at the end is an error with a fix, as it may be intended`, async () => {
    const environment = {
      WM_TOKEN: secrets.access,
      WM_HOST: service.host,
      [name]: `${join(person.folder, 'canary')}\n`,
    };
    const ran = await person.wm(['webhook', 'create', 'https://example.com/hook'], {
      exit: 2,
      environment,
    });
    assert.match(
      ran.errors,
      new RegExp(`^wm: ${name} ends with a line break\n.*\n.*${name}="\\$\\(cat FILE\\)"`),
    );
    assert.deepEqual(service.calls, []);
  });
}

test('on Windows the fix is for PowerShell', async () => {
  const world = { process: createProcesses('win32') };
  for (const [value, cure] of [
    ['canary\n', '$env:WM_WEBHOOK_SECRET = Get-Content FILE removes line breaks'],
    ['', 'unset it: Remove-Item Env:WM_WEBHOOK_SECRET'],
  ] as const) {
    const environment = { WM_WEBHOOK_SECRET: value };
    const ran = await person.wm(['webhook', 'events'], { exit: 2, environment, world });
    assert.ok(ran.errors.includes(cure), ran.errors);
  }
});

test('no message shows the value of a secret variable, whatever is wrong with it', async (context) => {
  const names = Object.entries(variables).flatMap(([name, row]) => ('secret' in row ? [name] : []));
  assert.deepEqual(names, [
    ...['WM_TOKEN', 'WM_CLIENT_SECRET', 'WM_WEBHOOK_SECRET'],
    ...['WM_SINK_PASSWORD', 'WM_SINK_TOKEN', 'WM_SINK_NKEY'],
  ]);
  // With any status.
  const other = await makePerson();
  context.after(() => other.leave());
  // Every command of the person looks for the canary in what was written.
  for (const name of names)
    for (const value of ['canary é', 'canary\n\n', '\ncanary', 'canary\u202e'])
      await other.wm(['whoami', '--verbose'], { environment: { WM_HOST: service.host, [name]: value } });
});

test('the table has a row for each variable that the source reads, and no others', async () => {
  const rows = Object.entries(variables);
  assert.deepEqual(rows.map(([name]) => name).toSorted(), [...withValue, ...switches].toSorted());
  for (const [name, { isSwitch }] of rows) assert.equal(isSwitch === true, switches.includes(name), name);
  const paths = (await readdir('src', { recursive: true })).filter((path) => path.endsWith('.ts'));
  const texts = await Promise.all(paths.map((path) => readFile(join('src', path), 'utf8')));
  const read = texts.flatMap((text) =>
    [...text.matchAll(/\benvironment\['(WM_\w+)'\]/g)].map(([, name]) => name),
  );
  assert.deepEqual([...new Set(read)].toSorted(), [...withValue, ...switches].toSorted());
  // A name could also be read in another way, so every name counts.
  const named = new Set(texts.flatMap((text) => text.match(/\bWM_[A-Z_]*[A-Z]\b/g) ?? []));
  for (const name of [...withValue, ...switches, ...notRead]) named.delete(name);
  assert.deepEqual([...named], []);
  for (const name of otherVariables)
    assert.ok(
      texts.filter((text) => new RegExp(`\\b${name}\\b`).test(text)).length > 1,
      `${name} is not read`,
    );
});

test('`wm --help` and docs/environment.md list the variables', async () => {
  const help = (await person.wm(['--help', 'all'])).output;
  const section = await readFile('docs/environment.md', 'utf8');
  for (const [name, { meaning }] of Object.entries(variables)) {
    assert.ok(help.replace(/\s+/g, ' ').includes(`${name} ${meaning}`), name);
    const row = section.split('\n').find((line) => line.startsWith(`| \`${name}\``));
    assert.ok(row?.includes(` ${meaning} `), `Correct the row of ${name} in docs/environment.md`);
  }
  const inPage = [...section.matchAll(/^\| `(WM_\w+)`/gm)].map(([, name]) => name);
  assert.deepEqual(inPage, Object.keys(variables), 'Correct docs/environment.md');
  for (const name of otherVariables) {
    assert.ok(help.includes(name), name);
    assert.ok(section.includes(`\`${name}\``), name);
  }
  const alsoHonoured = /Also honoured:([\s\S]*?)\.\n/.exec(section)?.[1] ?? '';
  assert.deepEqual(
    [...alsoHonoured.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    [...otherVariables],
  );
});
