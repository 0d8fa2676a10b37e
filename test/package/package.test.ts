// The package as people get it: packed, installed with npm and no compiler, its commands run, its library used by a program
// that has nothing else, and nothing in it points at a file that it lacks.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { events } from '../witness/events.ts';

const ids = ['IEAAAAAQKQAB5BNG', 'IEAAAAAQKQAB5BLG', 'IEAAAAAQKQAB5MIL'];

let folder: string;
/** Where npm put it: with bin/ and lib/. */
let prefix: string;
let packed: string;

interface Ended {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Without a compiler: whatever would build a native part fails. */
function environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`;
  return { ...process.env, HOME: folder, PATH: path, CC: '/bin/false', CXX: '/bin/false', ...more };
}

function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  return new Promise((done, reject) => {
    const child = spawn(command, args, { cwd: folder, env: environment(), stdio: 'pipe', ...options });
    const texts = { output: '', errors: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.errors += text));
    child.stdin.end();
    child.on('error', reject).on('close', (status) => done({ status, ...texts }));
  });
}

async function succeed(command: string, args: readonly string[], options: { cwd?: string } = {}) {
  const ended = await run(command, args, options);
  assert.equal(ended.status, 0, `${command} ${args.join(' ')}\n${ended.output}${ended.errors}`);
  return ended;
}

const installed = () => join(prefix, 'lib', 'node_modules', 'wm-cli');
const wm = (...args: readonly string[]) => run(join(prefix, 'bin', 'wm'), args);

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wm-package-'));
  prefix = join(folder, 'global');
  const { ino } = await stat('dist');
  await succeed('npm', ['run', 'pack', '--', folder], { cwd: resolve('.') });
  // Other tests start the program that is there.
  assert.equal((await stat('dist')).ino, ino);
  packed = join(folder, (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '');
  await succeed('npm', ['install', '--global', '--prefix', prefix, packed]);
});

after(() => rm(folder, { recursive: true, maxRetries: 3 }));

test('the package is small, and has no files built for one Node version only', async () => {
  const { size } = await stat(packed);
  // A quarter of it is jq.
  assert.ok(size < 1_920_000, `${size} bytes`);
  const files = await readdir(join(installed(), 'dist'));
  assert.deepEqual(
    files.filter((name) => name.endsWith('.cache')),
    [],
  );
});

test('npm installs two packages with it, and their dependencies', async () => {
  const { output } = await succeed('npm', ['ls', '--global', '--prefix', prefix, '--all', '--parseable']);
  const names = output.split('\n').flatMap((line) => /wm-cli\/node_modules\/(.*)$/.exec(line)?.[1] ?? []);
  assert.ok(names.includes('fs-native-extensions') && names.includes('@napi-rs/keyring'), output);
  assert.ok(names.length < 15, names.join(', '));
});

test('its commands run', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  assert.equal((await wm('--version')).output, `${version}\n`);
  assert.match((await wm('--help')).output, /Usage: wm COMMAND/);
  const exec = await wm(
    'emulator',
    'exec',
    '--',
    'wm',
    'task',
    'list',
    '--limit',
    '1',
    '--json',
    '--jq',
    '.[0].id',
  );
  assert.match(exec.output, /^IEAAAAAQ\w+\n$/, exec.errors);
  // The parts that stand in files of their own: YAML, a certificate, undici for many requests and for a proxy.
  const tls = await wm('emulator', 'exec', '--tls', '--', 'wm', 'webhook', 'export');
  assert.equal(tls.status, 0, tls.errors);
  assert.match(tls.output, /^version: 1$/m);
  const rows = ['id,title', ...ids.map((id) => `${id},Packed`)].join('\n');
  await writeFile(join(folder, 'tasks.csv'), `${rows}\n`);
  const bulk = await wm('emulator', 'exec', '--', 'wm', 'task', 'update', '--from', 'tasks.csv', '--yes');
  assert.equal(bulk.status, 0, bulk.errors);
  const proxied = await run(join(prefix, 'bin', 'wm'), ['whoami', '--timeout', '5'], {
    env: environment({
      WM_HOST: 'api.example.com',
      WM_TOKEN: 'token',
      WM_CONFIG_DIR: join(folder, 'config'),
      HTTPS_PROXY: 'http://127.0.0.1:1',
      NO_PROXY: '',
    }),
  });
  assert.equal(proxied.status, 7, proxied.errors);
  assert.match(proxied.errors, /127\.0\.0\.1:1/);
});

/** A project of a user's, with the package in its node_modules, and those that npm fetches, by exact versions. */
async function createProject(...packages: readonly string[]): Promise<string> {
  const project = await mkdtemp(join(folder, 'project-'));
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
  const modules = join(project, 'node_modules');
  if (packages.length > 0) {
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts'];
    await succeed('npm', ['install', ...flags, ...packages], { cwd: project });
  }
  await mkdir(join(modules, '@types'), { recursive: true });
  const links = [
    [installed(), 'wm-cli'],
    [resolve('node_modules/@types/node'), '@types/node'],
    [resolve('node_modules/undici-types'), 'undici-types'],
  ] as const;
  for (const [target, name] of links) {
    await rm(join(modules, name), { recursive: true, force: true });
    await symlink(target, join(modules, name));
  }
  return project;
}

/** Checks the file against the package's types, and writes it as JavaScript. */
async function compile(project: string, file: string) {
  const flags = ['--strict', '--target', 'es2023', '--module', 'nodenext', '--types', 'node'];
  const more = ['--noUnusedLocals', '--preserveSymlinks', '--ignoreConfig'];
  const tsc = resolve('node_modules/typescript/bin/tsc');
  await succeed(process.execPath, [tsc, ...flags, ...more, file], { cwd: project });
}

/** Runs a program of the project, which finds `wm`, with an emulator. */
function emulate(project: string, file: string): Promise<Ended> {
  const bin = join(prefix, 'bin');
  const env = { ...environment(), PATH: `${bin}:${environment()['PATH']}` };
  const command = [
    'emulator',
    'exec',
    '--allow-local-hooks',
    '--',
    process.execPath,
    '--preserve-symlinks',
    file,
  ];
  return run(join(bin, 'wm'), command, { cwd: project, env });
}

test('a program can use its library, and compiles against its types', async () => {
  const project = await createProject();
  await copyFile('test/package/program.ts', join(project, 'program.ts'));
  await compile(project, 'program.ts');
  const { status, output, errors } = await emulate(project, 'program.js');
  assert.equal(status, 0, errors);
  const [update, count, invalid, missing, signature] = output.trimEnd().split('\n');
  assert.equal(update, 'IEAAAAAQKQAB5BNG Completed 1');
  assert.equal(count, '7');
  assert.match(invalid ?? '', /^usage: .*Done/);
  assert.equal(missing, 'not_found 404 resource_not_found');
  assert.equal(signature, 'true');
});

test('a receiver gets each event of the service, with fields known to the compiler', async () => {
  const project = await createProject();
  await copyFile('test/package/receiver.ts', join(project, 'receiver.ts'));
  await compile(project, 'receiver.ts');
  const { status, output, errors } = await emulate(project, 'receiver.js');
  assert.equal(status, 0, `${output}${errors}`);
  const lines = output.trimEnd().split('\n');
  assert.deepEqual(
    lines.slice(0, -1).map((line) => line.split(' ')[0]),
    events.map(({ name }) => name),
  );
  assert.equal(lines.at(-1), `${events.length} of ${events.length}`);
});

test('a test of a user can start emulators in its process', async () => {
  const project = await createProject();
  await copyFile('test/package/emulator.ts', join(project, 'emulator.ts'));
  await compile(project, 'emulator.ts');
  const { status, output, errors } = await run(
    process.execPath,
    ['--preserve-symlinks', join(project, 'emulator.js')],
    { cwd: project },
  );
  assert.equal(status, 0, `${output}${errors}`);
  assert.equal(output, 'every check held\n');
});

const emulatorPage = () => readFile(join(installed(), 'docs', 'emulator-library.md'), 'utf8');
const blockOf = (page: string, heading: string, language: string) =>
  new RegExp(`^## ${heading}[\\s\\S]*?^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(page)?.[1] ?? '';

test('docs/emulator-library.md: the example for node:test compiles, and passes', async () => {
  const project = await createProject();
  await writeFile(join(project, 'example.ts'), blockOf(await emulatorPage(), 'node:test', 'ts'));
  await compile(project, 'example.ts');
  const command = ['--preserve-symlinks', '--test', '--test-reporter=tap', 'example.js'];
  const { status, output } = await run(process.execPath, command, { cwd: project, env: alone() });
  assert.equal(status, 0, output);
  assert.match(output, /^# pass 1$/m);
});

/** Not as a test of this one, whose runner would want its results in its own form. */
function alone(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: _options, ...rest } = environment(more);
  return rest;
}

test('docs/emulator-library.md: the example for Jest passes, with the command below it', async () => {
  const page = await emulatorPage();
  const project = await createProject('jest@30.5.2');
  await writeFile(join(project, 'example.test.js'), blockOf(page, 'Jest', 'js'));
  const { status, errors } = await run('sh', ['-c', blockOf(page, 'Jest', 'sh')], {
    cwd: project,
    env: alone(),
  });
  assert.equal(status, 0, errors);
  assert.match(errors, /^Tests: +1 passed, 1 total$/m);
});

test('docs/emulator-library.md: the example for Vitest passes', async () => {
  // The last that runs on each version of Node that wm runs on.
  const project = await createProject('vitest@3.2.4');
  await writeFile(join(project, 'example.test.ts'), blockOf(await emulatorPage(), 'Vitest', 'ts'));
  const { status, output, errors } = await run(
    process.execPath,
    [join('node_modules', 'vitest', 'vitest.mjs'), 'run', '--reporter=tap-flat'],
    { cwd: project, env: alone() },
  );
  assert.equal(status, 0, `${output}${errors}`);
  assert.match(output, /^ok 1 - example\.test\.ts > a token that may only read/m);
});

test('docs/emulator-library.md: the example for pytest passes', async () => {
  const project = await createProject();
  await writeFile(join(project, 'test_example.py'), blockOf(await emulatorPage(), 'pytest.*', 'py'));
  const env = alone({ PATH: `${join(prefix, 'bin')}:${environment()['PATH']}` });
  const { status, output, errors } = await run(
    '/usr/bin/python3',
    ['-m', 'pytest', '-p', 'no:cacheprovider', 'test_example.py'],
    { cwd: project, env },
  );
  assert.equal(status, 0, `${output}${errors}`);
  assert.match(output, /1 passed/);
});

/** What the examples of docs/webhook-library.md have to do with a request, over HTTP. `hasRoutes`: other methods are not theirs. */
async function tryExample(url: string, hasRoutes: boolean): Promise<void> {
  const post = (body: string, headers: Record<string, string>) =>
    fetch(url, { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } });
  const signed = (body: string) => ({ 'X-Hook-Signature': hmac(secret, body) });
  const challenge = 'Hf7Ks02mQzX9Lp4RtVb8';
  const asked = '{"requestType":"WebHook secret verification"}';
  const proof = await post(asked, { ...signed(asked), 'X-Hook-Secret': challenge });
  assert.deepEqual([proof.status, proof.headers.get('x-hook-secret')], [200, hmac(secret, challenge)]);
  // Parsers of bodies take less: Express 100 kB, Fastify 1 MiB.
  const large = changed + ' '.repeat(2_000_000);
  assert.equal((await post(large, signed(large))).status, 200);
  assert.equal((await post(changed, signed('[]'))).status, 503);
  assert.equal((await post(changed, {})).status, 503);
  if (!hasRoutes) assert.equal((await fetch(url)).status, 503);
}
const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
const changed = JSON.stringify([
  {
    ...{ webhookId: 'IEW', eventAuthorId: 'KUA', lastUpdatedDate: '2026-02-02T09:00:00Z', taskId: 'IET' },
    ...{ eventType: 'TaskStatusChanged', oldStatus: 'Active', status: 'Completed' },
    ...{ oldCustomStatusId: 'IEA', customStatusId: 'IEB' },
  },
]);

test('an uncaught error of the library prints no page of its source', async () => {
  const project = await createProject();
  await writeFile(
    join(project, 'uncaught.js'),
    "import { createClient } from 'wm-cli';\ncreateClient({}).send('x');\n",
  );
  const { status, errors } = await run(process.execPath, [join(project, 'uncaught.js')]);
  assert.equal(status, 1);
  assert.match(errors, /access is not an object|not an operation/);
  assert.ok(errors.length < 2500, `${errors.length} characters`);
});

const withTheirs = 'Rejected: bad-signature\nRejected: no-signature\n';
const byDefault = ['bad-signature', 'no-signature']
  .map((reason) => `Webhook receiver: responded with 503 to a request (${reason})\n`)
  .join('');

/** The examples of docs/webhook-library.md, by what their headings end in: what a test adds to each, and what each prints. */
const receivers = {
  'node:http': {
    add: 'import { tellPort } from "./serve-example.js";\ntellPort(server);\n',
    prints: `IET: Active -> Completed\n${withTheirs}Rejected: method\n`,
  },
  Express: {
    add: 'import { tellPort } from "./serve-example.js";\ntellPort(server);\n',
    hasRoutes: true,
    prints: `TaskStatusChanged\n${byDefault}`,
  },
  Fastify: {
    add: 'import { tellPort } from "./serve-example.js";\ntellPort(app.server);\n',
    hasRoutes: true,
    prints: `TaskStatusChanged\n${byDefault}`,
  },
  'Request and Response': {
    add: 'import { serveFetch } from "./serve-example.js";\nserveFetch(receiver.fetch);\n',
    prints: `TaskStatusChanged\n${withTheirs}Rejected: method\n`,
  },
  'any other framework': {
    add: 'import { serveGateway } from "./serve-example.js";\nserveGateway(handler);\n',
    hasRoutes: true,
    prints: 'TaskStatusChanged\n',
  },
};

test('the examples of docs/webhook-library.md compile, and receive deliveries', async () => {
  const page = await readFile(join(installed(), 'docs', 'webhook-library.md'), 'utf8');
  const [imports, ...examples] = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  assert.match(imports ?? '', /^import .* from 'wm-cli\/webhooks';\n$/);
  // Fastify takes a later light-my-request too, which needs Node 22.
  const fastify = ['fastify@5.12.8', 'light-my-request@6.6.0'];
  const project = await createProject('express@5.3.0', '@types/express@5.0.6', ...fastify);
  await copyFile('test/package/serve-example.ts', join(project, 'serve-example.ts'));
  const tried = Object.entries(receivers).map(async ([heading, { add, prints, ...example }]) => {
    const code = blockOf(page, `.*${heading}`, 'ts');
    assert.ok(examples.includes(code), heading);
    const name = heading.replaceAll(/\W/g, '-');
    await writeFile(join(project, `${name}.ts`), code.replace(/3000\b/, '0') + add);
    await compile(project, `${name}.ts`);
    const hasRoutes = 'hasRoutes' in example;
    assert.equal(await withExample(project, `${name}.js`, (url) => tryExample(url, hasRoutes)), prints);
  });
  assert.equal(tried.length, examples.length);
  await Promise.all(tried);
  // What the page says about Express.
  const express = await readFile(join(project, 'Express.js'), 'utf8');
  const [route = ''] = /^app\.post.*\n/m.exec(express) ?? [];
  await writeFile(
    join(project, 'late.js'),
    express.replace(route, '').replace(/^app\.use.*\n/m, `$&${route}`),
  );
  const printed = await withExample(project, 'late.js', async (url) => {
    const headers = { 'Content-Type': 'application/json', 'X-Hook-Signature': hmac(secret, changed) };
    assert.equal((await fetch(url, { method: 'POST', body: changed, headers })).status, 503);
  });
  assert.equal(printed, `${byDefault.split('(')[0]}(body-already-read)\n`);
});

const secret = 'a secret of this test';

/** Runs an example until `attempt` is done with it. What it printed, to either stream, after its address. */
async function withExample(
  project: string,
  file: string,
  attempt: (url: string) => Promise<void>,
): Promise<string> {
  const env = environment({ WM_WEBHOOK_SECRET: secret, WM_WEBHOOK_SECRETS: `another,${secret}` });
  const child = spawn('sh', ['-c', 'exec "$@" 2>&1', 'sh', process.execPath, '--preserve-symlinks', file], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = new Promise((done) => child.on('close', done));
  let output = '';
  const url = await new Promise<string>((found, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const address = /^(http:\S+)\n/.exec(output)?.[1];
      if (address !== undefined) found(address);
    });
    child.on('close', () => reject(new Error(output)));
  });
  try {
    await attempt(url);
  } finally {
    child.kill();
    await closed;
  }
  // It writes to a pipe at once, before it responds.
  return output.slice(url.length + 1).replaceAll(' \n', '\n');
}

test('the receiving library loads neither the client nor anything that connects', async () => {
  const text = await readFile(join(installed(), 'dist', 'webhook-library.js'), 'utf8');
  const modules = [...text.matchAll(/(?:from|import\(|require\()\s*"([^"]+)"/g)].map(([, name]) => name);
  assert.deepEqual([...new Set(modules)].toSorted(), ['node:crypto']);
  assert.ok(text.length < 60_000, `${text.length} characters`);
});

test('includes its licence, the licences of its contents, and a list of its components', async () => {
  const manifest = JSON.parse(await readFile(join(installed(), 'package.json'), 'utf8'));
  const licence = await readFile(join(installed(), 'LICENSE'), 'utf8');
  assert.equal(manifest.license, 'MIT');
  assert.match(licence, /^MIT License\n/);
  const text = await readFile(join(installed(), 'dist', 'third-party-licences.txt'), 'utf8');
  const { components } = JSON.parse(await readFile(join(installed(), 'dist', 'sbom.cdx.json'), 'utf8'));
  for (const name of ['undici', 'yaml', 'pkijs', 'htmlparser2']) {
    const found = components.find((one: { name: string }) => one.name === name);
    assert.ok(found, name);
    assert.ok(text.includes(`\n${name} ${found.version} (`), name);
  }
  // What the bundle leaves out of a package with many parts is not listed.
  assert.ok(!components.some((one: { name: string }) => one.name === '@inquirer/editor'));
  for (const name of Object.keys(manifest.dependencies))
    assert.ok(
      components.some((one: { name: string }) => one.name === name),
      name,
    );
});

test('nothing in it refers to a missing file', async () => {
  const files = new Set(
    (await readdir(installed(), { recursive: true })).filter((file) => !file.startsWith('node_modules')),
  );
  const pages = [...files].filter((file) => file.endsWith('.md'));
  assert.ok(pages.includes('README.md') && pages.includes('AGENTS.md'));
  const lacking: string[] = [];
  for (const page of pages) {
    const text = await readFile(join(installed(), page), 'utf8');
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)) {
      const path = join(dirname(page), target).replace(/\/$/, '');
      if (!files.has(path)) lacking.push(`${page}: ${target}`);
    }
  }
  // What the program prints names files too.
  const parts = (await readdir(join(installed(), 'dist'))).filter((name) => name.endsWith('.cjs'));
  const program = await Promise.all(parts.map((name) => readFile(join(installed(), 'dist', name), 'utf8')));
  // esbuild names each module by its path: "src/main.ts"(){...}
  for (const [path] of program.join('\n').matchAll(/\b(?:docs|src|test)\/[\w./-]+\.(?:md|ts)\b(?!"\()/g))
    if (!files.has(path)) lacking.push(`the program: ${path}`);
  assert.deepEqual([...new Set(lacking)], []);
});
