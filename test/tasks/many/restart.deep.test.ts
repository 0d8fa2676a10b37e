// Journals of an older wm, homes in which no journal can be kept, and what the doctor says of those that are.

import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { createFiles } from '#world/files.ts';

const { task: first, backlog: second, milestone: third } = sample;

async function nightly(context: TestContext) {
  const service = await emulated(context);
  const path = join(service.folder, 'tasks.csv');
  const journal = join(service.folder, 'journal');
  const rows = (title: string) =>
    writeFile(path, `id,title\n${[first, second, third].map((id) => `${id},${title}`).join('\n')}\n`);
  await rows('one');
  const argv = ['task', 'update', '--from', path, '--yes', '--concurrency', '1', '--journal', journal];
  /** The first row ends with an unknown outcome, the others are updated. */
  const endEarly = () =>
    service.control('faults', { request: 'updateTask', cutAfter: 0, when: 'after', times: 3 });
  const puts = (errors: string) => errors.match(/PUT /g)?.length ?? 0;
  return { ...service, path, journal, rows, argv, endEarly, puts };
}

test('a journal of an older wm counted rows differently: it is not continued, and can be discarded', async (context) => {
  const { wm, argv, journal, puts } = await nightly(context);
  await wm(argv, { exit: 0 });
  const [header = ''] = (await readFile(journal, 'utf8')).split('\n');
  const old = header.replace('"version":3', '"version":1');
  assert.notEqual(old, header);
  await writeFile(journal, `${old}\n{"sent":1}\n{"updated":1}\n{"sent":2}\n`);
  for (const more of [[], ['--resume']]) {
    const ran = await wm([...argv, ...more], { exit: 2 });
    assert.match(
      ran.errors,
      /journal was written by an older wm, which numbered rows differently\n {2}Finish that run with the wm that began it, or send every row again: --restart\n/,
    );
  }
  const over = await wm([...argv, '--restart', '--verbose'], { exit: 0 });
  assert.match(over.errors, /Discarding the journal of an earlier run: 1 row of 3 was updated, 1 unknown\./);
  assert.equal(puts(over.errors), 3);
  // One that is finished, or says nothing of any row, stands in nobody's way.
  for (const lines of ['{"updated":1}\n{"updated":2}\n{"failed":3,"why":"x"}\n', '']) {
    await writeFile(journal, `${old}\n${lines}`);
    await wm([...argv, '--resume'], { exit: 0 });
  }
});

test('a journal with the outcome words of an older wm: --resume sends and reports what is left, and no other row', async (context) => {
  const { wm, argv, path, journal, puts } = await nightly(context);
  const ids = [first, second, 'IEAAAAAQKQAB5NNN', third];
  const rows = [first, second, 'IEAAAAAQKQAB5NNN', `${first},x,Done`, third].map((id) =>
    id.includes(',') ? id : `${id},x,`,
  );
  await writeFile(path, `id,title,status\n${rows.join('\n')}\n`);
  await wm(argv, { exit: 8 });
  const [header = ''] = (await readFile(journal, 'utf8')).split('\n');
  const older = header.replace('"version":3', '"version":2');
  assert.notEqual(older, header);
  const lines = [
    '{"sent":2}',
    '{"done":2}',
    '{"sent":3}',
    '{"unsent":3}',
    '{"sent":4}',
    '{"failed":4,"why":"it was gone","code":"resource_not_found","httpStatus":404}',
    '{"failed":5,"why":"it was wrong","code":"usage"}',
    '{"reported":[2]}',
    '{"sent":6}',
  ];
  await writeFile(journal, `${older}\n${lines.join('\n')}\n`);
  const errors = `${journal}.errors`;
  const ran = await wm([...argv, '--resume', '--errors', errors, '--verbose'], { exit: 8 });
  assert.equal(puts(ran.errors), 2);
  assert.deepEqual(ran.output.split('\n').filter(Boolean).toSorted(), [
    `3\t${ids[1]}\tupdated\t`,
    `4\t${ids[2]}\tfailed\tit was gone`,
    `5\t${first}\tinvalid\tit was wrong`,
    `6\t${ids[3]}\tupdated\t`,
  ]);
  assert.equal(
    await readFile(errors, 'utf8'),
    `line,outcome,error,id,title,status\n4,failed,it was gone,${ids[2]},x,\n5,invalid,it was wrong,${first},x,Done\n`,
  );
});

test('a home directory that is not writable: the error names --journal and --no-undoable, which make it work', async (context) => {
  const { wm, path, journal, environment, folder } = await nightly(context);
  for (const home of ['/dev/null', ...(process.platform === 'linux' ? ['/proc/self'] : [])]) {
    const own = { ...environment, WM_CONFIG_DIR: undefined, HOME: home };
    const files = createFiles(own, process.platform, folder);
    const argv = ['task', 'update', '--from', path, '--yes'];
    const world = { files };
    const ran = await wm(argv, { world, exit: 1 });
    assert.match(
      ran.errors,
      /Cannot create [\s\S]*\n {2}Nothing was sent\. Store the journal of this run elsewhere, and do without undo: --journal FILE --no-undoable\n$/,
    );
    assert.equal(ran.output, '');
    const logged = await wm([...argv, '--journal', journal], { world, exit: 8 });
    assert.match(logged.errors, /skip it: --no-undoable\n[\s\S]*Cannot create /);
    await wm([...argv, '--journal', journal, '--no-undoable', '--resume'], { world, exit: 0 });
  }
});

test('doctor says how large the state folder is, and which runs are not finished', async (context) => {
  const { wm, path, folder, endEarly } = await nightly(context);
  const found = async () => {
    const checks: { check: string; result: string; found: string; remedy?: string }[] = JSON.parse(
      (await wm(['doctor', '--json'])).output,
    );
    return checks.find(({ check }) => check === 'state folder');
  };
  assert.equal(await found(), undefined);
  const argv = ['task', 'update', '--from', path, '--yes', '--concurrency', '1', '--undoable'];
  await wm(argv, { exit: 0 });
  const state = join(folder, 'config', 'state');
  const holds =
    /^\S+state holds 1 bulk journal \(\d+ bytes\), 1 undo log \(\d+\.\d kB\) and a history \(\d+ bytes\)/;
  const good = await found();
  assert.equal(good?.result, 'good');
  assert.match(good?.found ?? '', holds);
  assert.ok(good?.found.startsWith(state));
  await endEarly();
  await wm([...argv, '--restart'], { exit: 8 });
  const notice = await found();
  assert.equal(notice?.result, 'notice');
  assert.match(notice?.found ?? '', /; 1 run is unfinished$/);
  assert.match(notice?.remedy ?? '', /--resume\. Journals are removed after 90 days\.$/);
  // Something else of that name is nobody's journal.
  await mkdir(join(state, 'bulk', 'a.ndjson'));
  const names = await readdir(join(state, 'bulk'));
  assert.equal(names.filter((name) => name.endsWith('.ndjson')).length, 2);
  assert.match((await found())?.found ?? '', /1 bulk journal/);
});
