// --resume that a nightly job can always say, --restart that sends every row again, journals of an older wm, homes in which
// no journal can be kept, and what the doctor says of those that are.

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

test('--resume every night: starts, continues, and starts again with the same file or another one', async (context) => {
  const { wm, argv, rows, endEarly, puts } = await nightly(context);
  const tonight = async (message: RegExp, sent: number, status = 0) => {
    const ran = await wm([...argv, '--resume', '--verbose'], { exit: status });
    assert.match(ran.errors, message);
    assert.equal(puts(ran.errors), sent, ran.errors);
  };
  const begins = /^Nothing to resume: starting with the first row\.$/m;
  await tonight(begins, 3);
  await tonight(begins, 3);
  await endEarly();
  // The first row is tried three times.
  await tonight(begins, 5, 8);
  await tonight(/^Sent before without a response, and sent again now: line 2 \(/m, 1);
  await rows('another');
  await tonight(begins, 3);
});

test('without --resume, does not accidentally resend a run that ended early; --restart does', async (context) => {
  const { wm, argv, journal, endEarly, puts, task } = await nightly(context);
  await endEarly();
  await wm(argv, { exit: 8 });
  const before = await readFile(journal, 'utf8');
  const again = await wm(argv, { exit: 2 });
  assert.match(
    again.errors,
    /wm: An earlier run of this bulk update ended early: 2 of 3 rows are done, 1 unknown\n {2}Continue it: --resume\. Start over, and send every row again: --restart\n$/,
  );
  const asked = await wm([...argv.filter((word) => word !== '--yes'), '--restart'], { exit: 2 });
  assert.match(
    asked.errors,
    /Discarding the journal of an earlier run: 2 of 3 rows were updated, 1 unknown\.\n[\s\S]*Start over, and update 3 tasks\? An earlier run has updated 2 already\./,
  );
  assert.equal(await readFile(journal, 'utf8'), before);
  const both = await wm([...argv, '--restart', '--resume'], { exit: 2 });
  assert.match(both.errors, /--resume and --restart cannot be combined/);
  const over = await wm([...argv, '--restart', '--verbose'], { exit: 0 });
  assert.equal(puts(over.errors), 3);
  assert.equal(over.output.split('\n').length, 4);
  assert.equal((await task(first)).title, 'one');
  // With nothing to discard it begins.
  const anew = await wm([...argv, '--restart', '--verbose'], { exit: 0 });
  assert.doesNotMatch(anew.errors, /Discarding/);
  assert.equal(puts(anew.errors), 3);
});

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

test('an empty file may become the journal', async (context) => {
  const { wm, argv, journal } = await nightly(context);
  await writeFile(journal, '');
  await wm(argv, { exit: 0 });
  assert.match(await readFile(journal, 'utf8'), /^\{"journal":"wm task update","version":3,/);
});

test('rows have their line numbers everywhere: plan, results, journal, errors', async (context) => {
  const { wm, argv, path, folder, journal } = await nightly(context);
  const errors = join(folder, 'failed.csv');
  await writeFile(path, `id,title,status\n\n${first},"two\nlines",\n${second},x,Done\nIEAAAAAQKQAB5NNN,y,\n`);
  for (const json of [[], ['--json']]) {
    const ran = await wm([...argv, '--errors', errors, ...json], { exit: 8 });
    const results = ran.output.trim().split('\n');
    assert.deepEqual(
      results
        .map((line) => (json.length > 0 ? JSON.parse(line).line : Number(line.split('\t')[0])))
        .toSorted(),
      [3, 5, 6],
    );
    assert.match(ran.errors, /^ {2}line 5 \(/m);
    const noted = await readFile(journal, 'utf8');
    for (const line of ['{"updated":3}', '{"invalid":5,', '{"failed":6,'])
      assert.ok(noted.includes(`\n${line}`), noted);
    assert.match(
      await readFile(errors, 'utf8'),
      /^line,outcome,error,id,title,status\n5,[^\n]*\n6,[^\n]*\n$/,
    );
  }
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

test('updates an id that is given twice, also by a link, only once', async (context) => {
  const { wm, task } = await emulated(context);
  const link = `https://workspace.example.com/open?id=${first}`;
  const argv = ['task', 'update', first, second, first, link, '--importance', 'High', '--yes', '--verbose'];
  const ran = await wm(argv, { exit: 0 });
  assert.match(ran.errors, new RegExp(`^Given more than once, and updated once: ${first}$`, 'm'));
  assert.equal(ran.errors.match(/PUT /g)?.length, 2);
  assert.equal(ran.output.split('\n').length, 3);
  const same = await wm(['task', 'update', first, first, '--importance', 'Low', '--yes']);
  assert.match(same.output, new RegExp(`^${first}\\t[^\\n]*\\n$`));
  assert.equal((await task(first)).importance, 'Low');
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
