// Runs the scripts of docs/scripting.md as they stand there, twice in a row, against an emulator; and its steps of CI run them. Each
// job has a machine of its own: what no step saves is lost.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';

const skip = process.platform === 'win32' && 'no bash there';
const title = 'Write the launch page';
const page = await readFile('docs/scripting.md', 'utf8');
const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
  language,
  text,
}));
/** By its name, which each script has in its second line. */
const scripts = new Map(
  blocks
    .filter(({ language }) => language === 'bash')
    .map(({ text }) => [/^#!.*\n# (\S+)/.exec(text)?.[1] ?? '', text]),
);

/** A process that reads nothing. */
function runProcess(command: string, words: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  return new Promise<{ status: number | null; output: string; errors: string }>((done) => {
    const child = spawn(command, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [output, errors] = ['', ''];
    child.stdout.on('data', (text) => (output += text));
    child.stderr.on('data', (text) => (errors += text));
    child.on('close', (status) => done({ status, output, errors }));
  });
}

async function inFolder(context: TestContext, name: string) {
  const service = await emulated(context);
  const { folder, environment } = service;
  const block = (start: RegExp) => blocks.find(({ text }) => start.test(text))?.text ?? '';
  await writeFile(join(folder, name), scripts.get(name) ?? '', { mode: 0o700 });
  await writeFile(join(folder, 'tasks.csv'), block(/^id,/));
  await writeFile(join(folder, 'hooks.yaml'), block(/^# hooks\.yaml/));
  await symlink(resolve('bin/wm.js'), join(folder, 'wm'));
  const onPath = { ...environment, CI: 'true', PATH: `${folder}:${process.env['PATH']}` };
  const run = (...words: string[]) => runProcess(join(folder, name), words, folder, onPath);
  const twice = async (...words: string[]) => {
    for (let night = 0; night < 2; night++) {
      const ran = await run(...words);
      assert.equal(ran.status, 0, ran.errors);
    }
  };
  const hooks = async () => JSON.parse((await service.wm(['webhook', 'list', '--json'])).output);
  return { ...service, onPath, run, twice, hooks };
}

test('five scripts, each with a GitHub Actions and a GitLab CI step that runs it', () => {
  assert.equal(scripts.size, 5);
  for (const name of scripts.keys())
    for (const system of ['GitHub Actions', 'GitLab CI']) {
      const steps = blocks.filter(
        ({ text }) => text.startsWith(`# ${system}\n`) && text.includes(`./${name}`),
      );
      assert.equal(steps.length, 1, `${name}: ${system}`);
      assert.ok(parse(steps[0]?.text ?? ''));
    }
});

test('due-soon.sh', { skip }, async (context) => {
  const { wm, twice, task } = await inFolder(context, 'due-soon.sh');
  const due = async () =>
    JSON.parse(
      (await wm(['task', 'list', '--status', 'Active', '--due-before', 'in 1 week', '--json'])).output,
    );
  const before = await due();
  assert.ok(before.length > 0);
  await twice();
  for (const { id } of before) assert.equal((await task(id)).importance, 'High');
  for (const { id } of before) await wm(['task', 'update', id, '--status', 'Completed', '--yes']);
  assert.equal((await due()).length, 0);
  await twice();
});

test('nightly-file.sh', { skip }, async (context) => {
  const { folder, run, twice, task } = await inFolder(context, 'nightly-file.sh');
  await twice();
  assert.equal((await task(sample.backlog)).title, 'Collect the photos');
  await writeFile(join(folder, 'tasks.csv'), `id,title\nIEAAAAAQKQAB5NNN,x\n${sample.backlog},y\n`);
  const ran = await run();
  assert.equal(ran.status, 8, ran.errors);
  assert.match(ran.errors, /\nfailed\.csv has the rows that failed or are invalid: fix them, and send it\n$/);
  assert.match(await readFile(join(folder, 'failed.csv'), 'utf8'), /IEAAAAAQKQAB5NNN,x\n$/);
});

test('nightly-file.sh in an outage: mentions no file without rows, and the next run sends the rows', {
  skip,
}, async (context) => {
  const { folder, run, twice, control, wm } = await inFolder(context, 'nightly-file.sh');
  await control('faults', { request: 'updateTask', status: 503, times: 1000 });
  const ran = await run();
  assert.equal(ran.status, 8, ran.errors);
  assert.match(ran.errors, /\nSome rows were not updated\. The next run sends those without a result\n$/);
  assert.equal(await readFile(join(folder, 'failed.csv'), 'utf8'), '');
  await wm(['emulator', 'fault', '--clear'], { exit: 0 });
  await twice();
});

test('after-deploy.sh', { skip }, async (context) => {
  const { wm, twice, hooks, task } = await inFolder(context, 'after-deploy.sh');
  await twice(title, '981');
  assert.equal((await hooks()).length, 1);
  const { status, metadata } = await task(sample.task);
  assert.deepEqual(
    [status, metadata.find(({ key }: { key: string }) => key === 'build')?.value],
    ['Completed', '981'],
  );
  const comments = JSON.parse((await wm(['task', 'comments', sample.task, '--json'])).output);
  assert.deepEqual(
    comments.map(({ text }: { text: string }) => text),
    ['Deployed: build 981'],
  );
});

test('webhooks.sh', { skip }, async (context) => {
  const { run, twice, hooks } = await inFolder(context, 'webhooks.sh');
  assert.match((await run()).output, /^create\t/);
  assert.deepEqual(await hooks(), []);
  await twice('apply');
  assert.equal((await hooks()).length, 1);
  assert.match((await run()).output, /^same\t/);
});

test('guard.sh', { skip }, async (context) => {
  const { wm, run, twice } = await inFolder(context, 'guard.sh');
  const made = await wm(['webhook', 'create', 'https://hooks.example.com/a', '--yes', '--json']);
  await twice();
  const { id } = JSON.parse(made.output);
  await wm(['webhook', 'suspend', id, '--yes'], { exit: 0 });
  const ran = await run();
  assert.equal(ran.status, 10, ran.errors);
  assert.ok(ran.errors.includes(id), ran.errors);
});

interface Step {
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
}

/** Steps that need no more than the files of a checkout, and an installed wm. */
const isSetUp = ({ uses = '', run = '' }: Step) =>
  uses.startsWith('actions/checkout@') || run.startsWith('npm install ');

/**
 * Runs the steps of a job as GitHub does: after a failed one, only those with `if: always()`. `caches`: by their keys, oldest first; a
 * saved one never changes. actions/cache saves at the end of a job that succeeded, and of no other.
 */
async function runJob(
  steps: readonly Step[],
  {
    folder,
    caches,
    expand,
    run,
  }: {
    readonly folder: string;
    readonly caches: Map<string, string>;
    readonly expand: (text: string) => string;
    readonly run: (line: string) => Promise<{ readonly status: number | null; readonly errors: string }>;
  },
) {
  let [hasFailed, errors] = [false, ''];
  const saves: { readonly isDone: boolean; readonly save: () => Promise<void> }[] = [];
  for (const step of steps) {
    if ((hasFailed && step.if !== 'always()') || isSetUp(step)) continue;
    if (step.run !== undefined) {
      const ran = await run(step.run);
      errors += ran.errors;
      hasFailed ||= ran.status !== 0;
      continue;
    }
    const [, action = ''] = /^actions\/(.+)@v\d+$/.exec(step.uses ?? '') ?? [];
    if (!action.startsWith('cache')) continue;
    const [path, key, prefix] = ['path', 'key', 'restore-keys'].map((name) =>
      expand(step.with?.[name] ?? ''),
    );
    assert.ok(path && key);
    const file = join(folder, path);
    const save = async () => {
      const text = await readFile(file, 'utf8').catch(() => undefined);
      if (text !== undefined && !caches.has(key)) caches.set(key, text);
    };
    if (action === 'cache/save') await save();
    else {
      const newest = [...caches].reverse().find(([name]) => prefix && name.startsWith(prefix));
      const text = caches.get(key) ?? newest?.[1];
      if (text !== undefined) await writeFile(file, text);
      if (action === 'cache') saves.push({ isDone: caches.has(key), save });
    }
  }
  if (!hasFailed) for (const { isDone, save } of saves) if (!isDone) await save();
  return { hasFailed, errors };
}

for (const [source, pattern] of [
  ['docs/scripting.md', /^# GitHub Actions\n[\s\S]*nightly-file/],
  ['README.md', /^jobs:/],
] as const)
  test(`${source}: a job resumes on another machine where a failed job stopped`, {
    skip,
  }, async (context) => {
    const { folder, onPath, control, task } = await inFolder(context, 'nightly-file.sh');
    const text = await readFile(source, 'utf8');
    const yaml = [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].find(([, block = '']) =>
      pattern.test(block),
    );
    const parsed = parse(yaml?.[1] ?? '');
    const steps: readonly Step[] = Array.isArray(parsed) ? parsed : parsed.jobs.tasks.steps;
    const caches = new Map<string, string>();
    const job = async (runId: number, attempt: number) => {
      const machine = join(folder, `machine-${runId}-${attempt}`);
      await mkdir(machine);
      for (const name of ['nightly-file.sh', 'tasks.csv'])
        await symlink(join(folder, name), join(machine, name));
      const env = { ...onPath, WM_CONFIG_DIR: join(machine, 'config') };
      const run = (line: string) => runProcess('bash', ['-ec', line], machine, env);
      const values: Readonly<Record<string, number>> = { run_id: runId, run_attempt: attempt };
      const expand = (typed: string) =>
        typed.replace(/\$\{\{ github\.(\w+) \}\}/g, (_, name: string) => String(values[name]));
      return runJob(steps, { folder: machine, caches, expand, run });
    };
    await control('faults', { request: 'updateTask', cutAfter: 0, when: 'after', times: 6 });
    const first = await job(1, 1);
    assert.ok(first.hasFailed, first.errors);
    const again = await job(1, 2);
    assert.match(again.errors, /^Sent before without a response, and sent again now: line 2 /m);
    assert.ok(!again.hasFailed, again.errors);
    assert.equal((await task(sample.backlog)).title, 'Collect the photos');
    // The second attempt is saved too.
    const next = await job(2, 1);
    assert.match(next.errors, /^Nothing to resume: starting with the first row\.$/m);
  });
