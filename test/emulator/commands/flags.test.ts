// What the flags of `emulator start` and `emulator exec` do to the emulator, as its user sees it; and what a port that
// cannot be had is reported as.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { emulatorEnvironment } from '#emulator/commands/environment.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';
import { freePort } from '#test/support/service/free-port.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';
import { answerConsent } from '#test/support/terminal/consent-page.ts';
import { createWorld } from '#world/create-world.ts';
import type { Environment, ListenFault, World } from '#world/world.ts';
import { execWith, startWith } from './in-process.ts';

const real = createWorld();

type During = (flags: readonly string[], use: (environment: Environment) => Promise<void>) => Promise<void>;

/** While an emulator runs, `use` gets the environment of a program that uses it. */
const commands: Readonly<Record<string, During>> = {
  /** `use` is in the place of its command. */
  async exec(flags, use) {
    const ran = await execWith([...flags, '--', 'a-command'], (environment) =>
      use(environment).then(() => 0),
    );
    assert.deepEqual([ran.status, ran.errors], [0, '']);
  },
  async start(flags, use) {
    const { printed, stop } = await startWith([...flags.filter((flag) => flag !== '--signed-out'), '--json']);
    const folder = await mkdtemp(join(tmpdir(), 'wm-flags-'));
    const environment = emulatorEnvironment({}, JSON.parse(printed), folder);
    try {
      await use(flags.includes('--signed-out') ? { ...environment, WM_TOKEN: undefined } : environment);
    } finally {
      assert.equal((await stop()).errors, '');
      await rm(folder, { recursive: true });
    }
  },
};

/** A test of each command: they share these flags. */
function testBoth(name: string, run: (during: During, t: TestContext) => Promise<void>): void {
  for (const [word, during] of Object.entries(commands)) test(`${word} ${name}`, (t) => run(during, t));
}

async function statusFor(environment: Environment, host: string): Promise<number | undefined> {
  const { port, hostname } = new URL(String(environment['WM_EMULATOR_URL']));
  const asked = request({ hostname, port, path: '/_emulator/clock', headers: { Host: `${host}:${port}` } });
  const [response] = await once(asked.end(), 'response');
  response.resume();
  return response.statusCode;
}

testBoth('--allow-host: accepts requests for these names too, ignoring case', async (during) => {
  const names = ['host.docker.internal', 'other.example.com', '127.0.0.1'];
  const statuses = async (...flags: readonly string[]) => {
    const all: (number | undefined)[] = [];
    await during(flags, async (environment) => {
      for (const name of names) all.push(await statusFor(environment, name));
    });
    return all;
  };
  assert.deepEqual(await statuses(), [403, 403, 200]);
  assert.deepEqual(await statuses('--allow-host', 'Host.Docker.Internal'), [200, 403, 200]);
  assert.deepEqual(await statuses('--allow-host', names.join(',')), [200, 200, 200]);
  assert.deepEqual(await statuses('--allow-host', JSON.stringify(names)), [200, 200, 200]);
});

for (const [host, address] of [
  ['Hooks.Example.com', '[127.0.0.1]'],
  // As in a container, where the receiver has a name and no fixed address.
  ['hooks.example.com', 'LocalHost'],
] as const)
  testBoth(`--connect-to: deliveries for ${host} go to ${address}`, async (during, t) => {
    const server = await startRawServer(() => jsonReply(200, {}));
    t.after(() => server.close());
    const route = `${host}=${address}:${server.port}`;
    await during(['--connect-to', route], async (environment) => {
      const wm = async (...args: readonly string[]) => (await run(args, { environment })).output;
      await wm('webhook', 'create', 'http://hooks.example.com/in', '--quiet');
      await wm('emulator', 'emit', 'TaskCreated');
      await wm('emulator', 'clock', '--advance', '10m');
      assert.equal((await wm('emulator', 'deliveries', '--settled')).split('\t')[2], 'delivered');
    });
    assert.match(server.requests[0] ?? '', /^POST \/in HTTP\/1\.1\r\n/);
  });

testBoth('--strict rejects what the emulator tolerates otherwise', async (during) => {
  const status = async (...flags: readonly string[]) => {
    let printed = '';
    await during(flags, async (environment) => {
      await run(['api', 'GET', '/account/'], { environment });
      printed = (await run(['emulator', 'requests'], { environment })).output;
    });
    return printed.split('\t')[5];
  };
  assert.deepEqual([await status(), await status('--strict')], ['200', '400']);
});

testBoth('--compact: a delivery is JSON on one line', async (during, t) => {
  const server = await startRawServer(() => jsonReply(200, {}));
  t.after(() => server.close());
  const body = async (...flags: readonly string[]) => {
    const before = server.requests.length;
    await during(
      ['--connect-to', `hooks.example.com=127.0.0.1:${server.port}`, ...flags],
      async (environment) => {
        for (const args of ['webhook create http://hooks.example.com/in', 'emulator emit TaskCreated'])
          await run(args.split(' '), { environment });
        await run(['emulator', 'clock', '--advance', '10m'], { environment });
        await run(['emulator', 'deliveries', '--settled'], { environment });
      },
    );
    return server.requests[before]?.split('\r\n\r\n')[1] ?? '';
  };
  assert.match(await body('--compact'), /^\[\{"\S+\}\]$/);
  assert.match(await body(), /^\[\n {2}\{\n {4}"/);
});

/** A sign-in at the emulator, with this much time between the code and its exchange. */
async function signIn(environment: Environment, seconds: number) {
  const wm = async (args: readonly string[], input = '') => run(args, { environment, input });
  await wm(['emulator', 'clock', '--freeze']);
  const started = await wm(['login', '--start']);
  const callback = await answerConsent(started.output.trim(), { press: 'Allow' });
  const moved = await wm(['emulator', 'clock', '--advance', `${seconds}s`]);
  assert.equal(moved.status, 0, moved.errors);
  const before = Date.now();
  const { status } = await wm(['login', '--complete', '--json'], `${callback}\n`);
  const after = Date.now();
  if (status !== 0) return { status };
  const { output } = await wm(['auth', 'status', '--json']);
  const expires = Date.parse(JSON.parse(output).expires);
  return { status, lifetime: { least: expires - after, most: expires - before } };
}

testBoth('--code-seconds and --token-seconds: how long a code and a token are good for', async (during) => {
  const flags = ['--signed-out', '--code-seconds', '20', '--token-seconds', '100'];
  await during(flags, async (environment) => {
    const { status, lifetime } = await signIn(environment, 19);
    assert.equal(status, 0);
    assert.ok(lifetime && lifetime.least <= 100_000 && lifetime.most >= 100_000, JSON.stringify(lifetime));
  });
  await during(flags, async (environment) => {
    assert.notEqual((await signIn(environment, 20)).status, 0);
  });
});

testBoth('--allow-local-hooks: a webhook may be on this machine', async (during) => {
  const create = async (...flags: readonly string[]) => {
    let status = 0;
    await during(flags, async (environment) => {
      ({ status } = await run(['webhook', 'create', 'http://127.0.0.1:9/hook'], { environment }));
    });
    return status;
  };
  assert.deepEqual([await create(), await create('--allow-local-hooks')], [2, 0]);
});

testBoth('--allow-origin: web pages of this origin may read the responses', async (during) => {
  const Origin = 'http://localhost:3000';
  await during(['--allow-origin', Origin], async (environment) => {
    const url = `${environment['WM_EMULATOR_URL']}/_emulator/clock`;
    const { headers } = await fetch(url, { headers: { Origin } });
    assert.equal(headers.get('Access-Control-Allow-Origin'), Origin);
  });
});

testBoth('--fixed-tokens: the same sample token each time', async (during) => {
  const tokens = async (...flags: readonly string[]) => {
    const all = new Set<string | undefined>();
    for (const _ of ['first', 'second']) await during(flags, async ({ WM_TOKEN }) => void all.add(WM_TOKEN));
    return all.size;
  };
  assert.deepEqual([await tokens(), await tokens('--fixed-tokens')], [2, 1]);
});

testBoth('--bare: responses lack what the contract does not show', async (during) => {
  const members = async (...flags: readonly string[]) => {
    let names: readonly string[] = [];
    await during(flags, async (environment) => {
      const create = ['webhook', 'create', 'https://a.example/', '--events', 'TaskCreated', '--json'];
      names = Object.keys(JSON.parse((await run(create, { environment })).output));
    });
    return names.includes('events');
  };
  assert.deepEqual([await members(), await members('--bare')], [true, false]);
});

testBoth('--rate-limit: 429 after so many requests a minute', async (during) => {
  await during(['--rate-limit', '1'], async (environment) => {
    const wm = () => run(['api', 'GET', '/account', '--timeout', '1'], { environment });
    assert.equal((await wm()).status, 0);
    assert.equal((await wm()).status, 6);
  });
});

testBoth('--client-secret-file: the secret of the application', async (during, t) => {
  const file = join(await ownFolder(t), 'secret');
  await writeFile(file, 'from-a-file\n');
  await during(['--client-id', 'mine', '--client-secret-file', file], async (environment) => {
    assert.deepEqual([environment['WM_CLIENT_ID'], environment['WM_CLIENT_SECRET']], ['mine', 'from-a-file']);
  });
});

test('exec --port: the emulator listens on that port', async () => {
  const port = await freePort();
  await commands['exec']?.(['--port', String(port)], async (environment) =>
    assert.equal(environment['WM_EMULATOR_URL'], `http://127.0.0.1:${port}`),
  );
});

for (const [flags, fault, errors] of [
  [
    [],
    { fault: 'not-allowed', detail: 'listen EPERM' },
    'wm: The emulator cannot listen on a free port\n  listen EPERM\n  Choose a port with --port.\n',
  ],
  [
    ['--port', '4010'],
    { fault: 'in-use', detail: 'listen EADDRINUSE' },
    'wm: The emulator cannot listen on port 4010\n  listen EADDRINUSE\n  Choose another with --port, or leave it out.\n',
  ],
  [
    ['--port', '4010'],
    { fault: 'not-allowed', detail: 'listen EACCES' },
    'wm: The emulator cannot listen on port 4010\n  listen EACCES\n  Choose another with --port, or leave it out. Windows reserves some ports: netsh interface ipv4 show excludedportrange protocol=tcp\n',
  ],
  [
    ['--data', 'data.json', '--port', '80'],
    { fault: 'not-allowed', detail: 'listen EACCES' },
    'wm: The emulator cannot listen on port 80\n  listen EACCES\n  Choose another with --port, or leave it out.\n',
  ],
] as readonly (readonly [readonly string[], ListenFault, string])[]) {
  for (const word of ['start', 'exec']) {
    test(`${word} ${flags.join(' ')}: ${fault.detail}`, async (t) => {
      const folder = await ownFolder(t);
      const args = flags.map((flag) => (flag === 'data.json' ? join(folder, flag) : flag));
      const ran = await run(['emulator', word, ...args, ...(word === 'exec' ? ['--', 'true'] : [])], {
        world: { server: { listen: async () => fault } },
      });
      assert.equal(ran.errors, errors);
      assert.deepEqual([ran.status, ran.output], [2, '']);
    });
  }
}

test('start says where its data are stored: in a file, or in memory', async (t) => {
  const file = join(await ownFolder(t), 'data.json');
  const firstLine = async (...flags: readonly string[]) => {
    const onInterrupt: World['process']['onInterrupt'] = (listener) => {
      listener('SIGINT');
      return () => {};
    };
    const process = { ...real.process, onInterrupt };
    const input = 'version: 1\n';
    const { status, output, errors } = await run(['emulator', 'start', ...flags], {
      input,
      world: { process },
    });
    assert.deepEqual([status, errors], [0, '']);
    assert.ok(output.endsWith('\nPress Ctrl-C to stop.\n'));
    return output.split('\n')[0];
  };
  assert.equal(
    await firstLine(),
    'An emulator of the service. Its sample account lasts as long as this process.',
  );
  const seed = join(dirname(file), 'seed.yaml');
  await writeFile(seed, 'version: 1\n');
  for (const [path, name] of [
    [seed, seed],
    ['-', 'standard input'],
  ] as const)
    assert.equal(
      await firstLine('--seed', path),
      `An emulator of the service. The data of ${name} lasts as long as this process.`,
    );
  assert.equal(await firstLine('--data', file), `An emulator of the service. It stores its data in ${file}.`);
});

const notOrigin = 'is not the origin of a page, such as http://localhost:3000';
const notRoute = 'is not of the form HOST=ADDRESS:PORT, as in hooks.example.com=127.0.0.1:8080';
const notName = 'is not a host name without a port, as in host.docker.internal';

for (const [flag, value, why] of [
  ['--allow-origin', 'localhost:3000', notOrigin],
  ['--allow-origin', 'a b', notOrigin],
  ['--allow-origin', 'http://localhost:80', 'is not an origin as browsers send it: use http://localhost'],
  ['--connect-to', 'hooks.example.com', notRoute],
  ...(
    [
      'http://hooks.example.com',
      'hooks.example.com:443',
      'https://hooks.example.com/path',
      'hooks.example.com?x',
      'ada@hooks.example.com',
      '*.example.com',
    ] as const
  ).map(
    (host) =>
      [
        '--connect-to',
        `${host}=127.0.0.1:9`,
        `${notRoute}: "${host}" is not a host name without a port`,
      ] as const,
  ),
  ['--connect-to', 'hooks.example.com=http://localhost:80', notRoute],
  ['--allow-host', 'localhost:3000', notName],
] as const) {
  test(`${flag} ${value}: one invalid entry among valid ones is an error`, async () => {
    const good = { '--allow-origin': 'http://a', '--connect-to': 'h=[::1]:65535', '--allow-host': 'h' }[flag];
    const { status, errors } = await run(['emulator', 'start', flag, `${good},${value}`]);
    assert.equal(errors, `wm: ${flag}: "${value}" ${why}\n`);
    assert.equal(status, 2);
  });
}

test('--connect-to rejects a port that is too large, and a host that a webhook cannot have', async () => {
  const port = (typed: string) => `the port: "${typed}" is not a whole number from 1 to 65535`;
  for (const [typed, why] of [
    ['emulator start --connect-to hooks.example.com=127.0.0.1:99999', port('99999')],
    ['emulator start --connect-to hooks.example.com=[::1]:0', port('0')],
    ['webhook verify https://hooks.example.com/ --connect-to 127.0.0.1:123456', port('123456')],
    ['webhook verify https://hooks.example.com/ --connect-to [::1]:65536', port('65536')],
    ...['10.0.0.5', 'localhost', '127.0.0.1', '169.254.1.1'].map(
      (host) => [`emulator start --connect-to ${host}=a:80`, `no webhook can have the host ${host}`] as const,
    ),
  ] as const) {
    const { status, errors } = await run(typed.split(' '));
    assert.deepEqual([status, errors.split('\n')[0]], [2, `wm: --connect-to: ${why}`]);
  }
});

test('contradictory flags are usage errors', async (t) => {
  const { wm } = await emulated(t);
  for (const [args, message] of [
    ['user KUAABENQ --deny IEAAAAAQI4AB5FLD --allow-all', /--allow-all cannot be combined with --deny/],
    ['user KUAABENQ --remove --licence full', /--remove cannot be combined/],
    ['user KUAABENQ --deny NOTHING', /"NOTHING" is not the id of a task/],
    ['clock --freeze --resume', /cannot be combined/],
    ['start --bare --strict', /Give --bare or --strict, not both/],
    ['fault any --status 503 --clear', /--clear cannot be combined with a fault/],
    ['fault any --error not_allowed', /An error or a Retry-After needs a status/],
    ['fault any --retry-after 5', /An error or a Retry-After needs a status/],
    ['fault any --json-body {', /"\{" is not JSON; --body takes any text/],
    ['requests --clear --rejected', /--clear cannot be combined with other flags/],
    ['requests --expect any=1 --follow', /--expect cannot be combined with --follow/],
    ['requests --expect any=1 --operation token', /--expect cannot be combined with --operation/],
  ] as const) {
    const { status, errors } = await wm(['emulator', ...args.split(' ')]);
    assert.equal(status, 2, args);
    assert.match(errors, message);
  }
});
