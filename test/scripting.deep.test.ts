// Runs the scripts of docs/scripting.md as they stand there, twice in a row, against an emulator; and its steps of CI run them.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from './app/emulated.ts';

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

async function inFolder(context: TestContext, name: string) {
  const service = await emulated(context);
  const { folder, environment } = service;
  const block = (start: RegExp) => blocks.find(({ text }) => start.test(text))?.text ?? '';
  await writeFile(join(folder, name), scripts.get(name) ?? '', { mode: 0o700 });
  await writeFile(join(folder, 'tasks.csv'), block(/^id,/));
  await writeFile(join(folder, 'hooks.yaml'), block(/^# hooks\.yaml/));
  await symlink(resolve('bin/wm.js'), join(folder, 'wm'));
  const run = (...words: string[]) =>
    new Promise<{ status: number | null; output: string; errors: string }>((done) => {
      const env = { ...environment, CI: 'true', PATH: `${folder}:${process.env['PATH']}` };
      const child = spawn(join(folder, name), words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
      let [output, errors] = ['', ''];
      child.stdout.on('data', (text) => (output += text));
      child.stderr.on('data', (text) => (errors += text));
      child.on('close', (status) => done({ status, output, errors }));
    });
  const twice = async (...words: string[]) => {
    for (let night = 0; night < 2; night++) {
      const ran = await run(...words);
      assert.equal(ran.status, 0, ran.errors);
    }
  };
  const hooks = async () => JSON.parse((await service.wm(['webhook', 'list', '--json'])).output);
  return { ...service, run, twice, hooks };
}

test('there are five, each with a step of GitHub Actions and of GitLab CI that runs it', () => {
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
  assert.match(ran.errors, /Some rows were not updated: see the messages above, and failed\.csv\n$/);
  assert.match(await readFile(join(folder, 'failed.csv'), 'utf8'), /IEAAAAAQKQAB5NNN,x\n$/);
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
  assert.equal((await wm(['webhook', 'suspend', id, '--yes'])).status, 0);
  const ran = await run();
  assert.equal(ran.status, 10, ran.errors);
  assert.ok(ran.errors.includes(id), ran.errors);
});
