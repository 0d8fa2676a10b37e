// --resume every night, after the file has changed: the new file starts, the rows that the last run left are named by their
// ids, and the night after that is clean.

import assert from 'node:assert/strict';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { createWorld } from '#world/create-world.ts';
import type { Http } from '#world/world.ts';

const { task: first, backlog: second, milestone: third } = sample;

/** A file of three rows, of which the second and the third are left. */
async function endedEarly(context: TestContext, ...more: string[]) {
  const service = await emulated(context);
  const { wm, folder } = service;
  const path = join(folder, 'tasks.csv');
  const rows = (...lines: string[]) => writeFile(path, `id,title\n${lines.join('\n')}\n`);
  await rows(`${first},a`, `${second},b`, `${third},c`);
  const argv = ['task', 'update', '--from', path, '--yes', '--concurrency', '1', '--no-undoable', ...more];
  const real = createWorld().http;
  let requests = 0;
  const http: Http = {
    send: async (request, options) =>
      ++requests > 1 ? { fault: 'tls', sent: false, detail: 'it has expired' } : real.send(request, options),
  };
  const ran = await wm([...argv, '--resume'], { world: { http }, exit: 8 });
  assert.match(ran.errors, /wm: 2 of 3 rows were not sent\n/);
  return { ...service, path, rows, argv, tonight: () => wm([...argv, '--resume']) };
}

const named = (path: string) =>
  `${path} has changed since a run that ended early. 2 of its 3 rows were left: line 3 (${second}), line 4 (${third})\n`;

for (const [name, more] of [
  ['in the state folder', []],
  ['of --journal', ['--journal', 'mine']],
] as const) {
  test(`a journal ${name}: the new file starts, the rows left of the old one are named, and the next run is clean`, async (context) => {
    const file = join((await emulated(context)).folder, 'journal');
    const { task, path, rows, tonight } = await endedEarly(
      context,
      ...more.map((word) => (word === 'mine' ? file : word)),
    );
    await rows(`${first},new`, `${third},new`);
    const ran = await tonight();
    assert.equal(ran.status, 8, ran.errors);
    assert.ok(ran.errors.includes(named(path)), ran.errors);
    assert.doesNotMatch(ran.errors, /Nothing to resume/);
    const end = `wm: 2 rows of an earlier ${path} were left unfinished\n  Every row of this run was updated. If the unfinished rows above still matter, add them to ${path}: `;
    assert.ok(ran.errors.includes(end), ran.errors);
    assert.equal(ran.errors.split(`line 3 (${second})`).length, 2, 'the list is printed once');
    assert.deepEqual([(await task(first)).title, (await task(third)).title], ['new', 'new']);
    const clean = await tonight();
    assert.equal(clean.status, 0, clean.errors);
    assert.doesNotMatch(clean.errors, /has changed|left/);
    if (more.length > 0) assert.match(await readFile(`${file}.old`, 'utf8'), new RegExp(`"ids":.*${second}`));
  });
}

for (const [name, more] of [
  ['in the state folder', []],
  ['of --journal', ['--journal']],
] as const)
  test(`a journal ${name}: an empty new file still names the rows that were left, and the next run is clean`, async (context) => {
    const file = join((await emulated(context)).folder, 'journal');
    const typed = more.length > 0 ? ['--journal', file] : [];
    const { wm, path, rows, argv } = await endedEarly(context, ...typed);
    await rows();
    const tonight = () => wm([...argv, '--resume', '--allow-empty']);
    const ran = await tonight();
    assert.equal(ran.status, 8, ran.errors);
    assert.match(ran.errors, /^Nothing to update: there are no rows in \S+\.$/m);
    const end = `wm: 2 rows of an earlier ${path} were left unfinished\n  2 of its 3 rows were left: line 3 (${second}), line 4 (${third})\n  If they still matter, add them to ${path}: the next run does not name them again.\n`;
    assert.ok(ran.errors.includes(end), ran.errors);
    const clean = await tonight();
    assert.equal(clean.status, 0, clean.errors);
    assert.doesNotMatch(clean.errors, /has changed|left/);
    if (more.length > 0) assert.match(await readFile(`${file}.old`, 'utf8'), new RegExp(`"ids":.*${second}`));
  });

for (const [name, text] of [
  ['another file', 'mine'],
  ['an empty file', ''],
] as const)
  test(`--journal FILE: ${name} in the place of FILE.old is not overwritten`, async (context) => {
    const file = join((await emulated(context)).folder, 'journal');
    const { task, rows, tonight } = await endedEarly(context, '--journal', file);
    await rows(`${third},new`);
    await writeFile(`${file}.old`, text);
    const ran = await tonight();
    assert.equal(ran.status, 2, ran.errors);
    assert.match(
      ran.errors,
      /^wm: \S+journal\.old is not the journal of a bulk run\n {2}The journal of the earlier run would replace it: /m,
    );
    assert.equal(await readFile(`${file}.old`, 'utf8'), text);
    assert.notEqual((await task(third)).title, 'new');
  });

test('--journal FILE: neither the input nor the errors file can be FILE.old', async (context) => {
  const { wm, folder } = await emulated(context);
  const [journal, input] = [join(folder, 'journal'), join(folder, 'tasks.csv')];
  for (const [flag, more] of [
    ['--from', ['--from', `${journal}.old`]],
    ['--errors', ['--from', input, '--errors', `${journal}.old`]],
  ] as const) {
    for (const path of [`${journal}.old`, input]) await writeFile(path, `id,title\n${first},x\n`);
    const ran = await wm(['task', 'update', '--yes', '--resume', '--journal', journal, ...more], { exit: 2 });
    assert.match(
      ran.errors,
      new RegExp(`^wm: ${flag} names \\S+journal\\.old, which --journal keeps for an earlier journal\n`, 'm'),
    );
    assert.equal(await readFile(`${journal}.old`, 'utf8'), `id,title\n${first},x\n`);
  }
});

for (const [name, mine, other] of [
  ['WM_TOKEN', [], ['--profile', 'home']],
  ['a profile', ['--profile', 'work'], ['--profile', 'home']],
] as const)
  test(`another sign-in neither names nor ends what a run left under ${name}`, async (context) => {
    const { wm, rows, argv, emulator } = await endedEarly(context);
    for (const profile of ['work', 'home']) {
      const login = ['login', '--with-token', '--quiet', '--profile', profile];
      await wm(login, { input: emulator.token, exit: 0 });
    }
    await rows(`${first},b`, `${second},c`);
    const http: Http = { send: async () => ({ fault: 'tls', sent: false, detail: 'it has expired' }) };
    await wm([...argv, ...mine], { world: { http }, exit: 7 });
    await rows(`${first},new`);
    const others = [
      () => wm([...argv, ...other, '--resume']),
      () => wm([...argv, '--resume'], { environment: { WM_TOKEN: emulator.tokens.ben } }),
    ];
    for (const run of others) {
      const ran = await run();
      assert.doesNotMatch(ran.errors, /has changed|an earlier/, ran.errors);
    }
    const ran = await wm([...argv, ...mine, '--resume'], { exit: 8 });
    assert.match(ran.errors, /has changed since a run that ended early/);
  });

test('does not name rows as left that the new file contains again', async (context) => {
  const { path, rows, tonight, task } = await endedEarly(context);
  // The second row is the same, the third has another title.
  await rows(`${second},b`, `${third},new`);
  const ran = await tonight();
  assert.equal(ran.status, 8, ran.errors);
  const left = `${path} has changed since a run that ended early. 1 row of its 3 was left: line 4 (${third})\n`;
  assert.ok(ran.errors.includes(left), ran.errors);
  assert.match(ran.errors, /wm: 1 row of an earlier \S+ was left unfinished\n/);
  assert.equal((await task(second)).title, 'b');
});

test('a new file with every row that was left is a clean run; its journal ends the old one', async (context) => {
  const { path, rows, tonight } = await endedEarly(context);
  await rows(`${third},c`, `${second},b`, `${first},more`);
  const ran = await tonight();
  assert.equal(ran.status, 0, ran.errors);
  const line = `${path} has changed since a run that ended early, and has every row that it left: starting with the first row.\n`;
  assert.ok(ran.errors.includes(line), ran.errors);
  await rows(`${first},other`);
  const clean = await tonight();
  assert.equal(clean.status, 0, clean.errors);
  assert.doesNotMatch(clean.errors, /has changed|left/);
});

test('names them in JSON, and continues to name them until a run starts', async (context) => {
  const { wm, path, rows, argv } = await endedEarly(context);
  await rows(`${first},new`);
  const unconfirmed = await wm([...argv.filter((word) => word !== '--yes'), '--resume'], { exit: 2 });
  assert.ok(unconfirmed.errors.includes(named(path)), unconfirmed.errors);
  const ran = await wm([...argv, '--resume', '--json'], { exit: 8 });
  const last = JSON.parse(ran.errors.trimEnd().split('\n').at(-1) ?? '');
  assert.equal(last.error.code, 'part_failed', ran.errors);
  const listed = (ran.rawErrors ?? '').split('\n').filter((line) => line.includes(second));
  assert.equal(listed.length, 1, ran.rawErrors);
  assert.match(JSON.parse(listed[0] ?? '').warning, new RegExp(`${second}.*${third}`));
});

test('a new file that fails as well is reported as usual, after the rows that the old one left', async (context) => {
  const { path, rows, tonight } = await endedEarly(context);
  await rows('IEAAAAAQKQAB5NNN,new');
  const ran = await tonight();
  assert.equal(ran.status, 8, ran.errors);
  assert.ok(ran.errors.includes(named(path)), ran.errors);
  assert.match(ran.errors, /wm: The only row was not updated\n/);
});

test('a killed run names each row of its file, sent or not', async (context) => {
  const { folder, rows, tonight } = await endedEarly(context);
  const journals = join(folder, 'config', 'state', 'bulk');
  const [journal = ''] = (await readdir(journals)).filter((one) => one.endsWith('.ndjson'));
  const lines = (await readFile(join(journals, journal), 'utf8')).split('\n');
  const start = lines.filter((line) => /"command"|"ids"/.test(line));
  await writeFile(join(journals, journal), [...start, '{"sent":2}', '{"upd'].join('\n'));
  await rows(`${first},new`);
  const ran = await tonight();
  assert.equal(ran.status, 8, ran.errors);
  const text = `3 of its 3 rows were left, 1 of them sent without a response: line 2 (${first}), line 3 (${second}), line 4 (${third})`;
  assert.ok(ran.errors.includes(text), ran.errors);
  assert.equal((await tonight()).status, 0);
});

test('does not report rows left by another command, another file, or a run in progress', async (context) => {
  const { wm, folder, path, rows, argv } = await endedEarly(context);
  await rows(`${first},new`);
  const others = [
    [...argv, '--importance', 'High', '--resume'],
    ['task', 'update', '--from', '-', '--yes', '--resume'],
  ];
  for (const typed of others) {
    await wm(typed, { input: `id,title\n${first},x\n`, exit: 0 });
  }
  const elsewhere = join(folder, 'other.csv');
  await rename(path, elsewhere);
  await wm(['task', 'update', '--from', elsewhere, '--yes', '--resume'], { exit: 0 });
  await rename(elsewhere, path);
  const journals = join(folder, 'config', 'state', 'bulk');
  const held = [];
  for (const one of await readdir(journals))
    if (one.endsWith('.ndjson'))
      held.push(await createWorld().lock.acquire(join(journals, `${one}.lock`), { timeoutMs: 0 }));
  await rows(`${first},newer`);
  await wm([...argv, '--resume'], { exit: 0 });
  for (const lock of held) await lock?.release();
});

test('without --resume a journal of other rows stops the run, and says what --resume would do', async (context) => {
  const file = join((await emulated(context)).folder, 'journal');
  const { wm, rows, argv } = await endedEarly(context, '--journal', file);
  await rows(`${first},new`);
  const ran = await wm(argv, { exit: 2 });
  assert.match(
    ran.errors,
    /is the journal of a run with other rows, which is not finished\n {2}Start with the new rows, and have the unfinished ones named: --resume\./,
  );
});
