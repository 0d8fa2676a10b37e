// A bulk run that ended early, in ways that need a journal, a disk or a network of the test's own. test/transcript/task-resume.txt shows
// the others.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';
import { aroundHttp } from '#test/support/service/around-http.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';
import { createFiles } from '#world/files.ts';
import type { Files } from '#world/world.ts';

const { task: first, backlog: second, milestone: third } = sample;
const missing = 'IEAAAAAQKQAB5NNN';
const csv = (...lines: string[]) => `${lines.join('\n')}\n`;

async function bulkOf(context: TestContext, ...rows: string[]) {
  const service = await emulated(context);
  const path = join(service.folder, 'tasks.csv');
  const errors = join(service.folder, 'failed.csv');
  const journal = join(service.folder, 'journal');
  await writeFile(path, csv('id,title', ...rows));
  const argv = ['task', 'update', '--from', path, '--yes', '--no-undoable', '--concurrency', '1'];
  return { ...service, path, errors, journal, argv: [...argv, '--journal', journal] };
}

test('does not claim that a file has earlier failed rows that a resumed bulk run could not write to it', async (context) => {
  const { wm, control, errors, journal, argv } = await bulkOf(
    context,
    `${first},a`,
    `${second},b`,
    `${missing},c`,
  );
  await control('faults', { request: 'updateTask', status: 401, times: 2 });
  await wm(argv);
  const [header] = (await readFile(journal, 'utf8')).split('\n');
  await writeFile(journal, `${header}\n{"failed":4,"why":"not found"}\n{"reported":[4]}\n`);
  const ran = await wm([...argv, '--resume', '--errors', errors], { exit: 4 });
  assert.equal(await readFile(errors, 'utf8'), '');
  assert.match(ran.errors, /it sends the 2 rows that are left\.\n.*Now it has 0 of 1 rows that failed/);
});

test('a certificate that is no longer trusted ends the run, and the hint does not say that nothing was changed', async (context) => {
  const { wm, task, argv } = await bulkOf(context, `${first},a`, `${second},b`, `${third},c`);
  let requests = 0;
  const http = aroundHttp(async (_, pass) =>
    ++requests > 1
      ? { fault: 'tls', sent: false, detail: 'it is unknown', tlsCode: 'CERT_UNTRUSTED' }
      : pass(),
  );
  const ran = await wm(argv, { world: { http }, exit: 8 });
  assert.equal(requests, 2);
  assert.equal((await task(first)).title, 'a');
  assert.match(
    ran.errors,
    /^wm: 2 of 3 rows were not sent\n {2}Cannot establish a trusted connection to the host: it is unknown\n {2}Behind a company proxy, trust its certificate: --ca FILE, or NODE_EXTRA_CA_CERTS=FILE\.\n {2}Run the same command with --resume: it sends the 2 rows that are left\.\n$/m,
  );
});

test('--resume asks about the remaining rows, and does not ask if none are left to send', async (context) => {
  const { wm, errors, journal, argv } = await bulkOf(
    context,
    `${first},a`,
    `${second},b,too much`,
    `${missing},c`,
    `${third},d`,
    `${second},e,too much`,
  );
  await wm(argv, { exit: 8 });
  const [header] = (await readFile(journal, 'utf8')).split('\n');
  const asked = argv.filter((word) => word !== '--yes');
  for (const [lines, tasks] of [
    ['{"updated":2}\n{"failed":3,"why":"it"}\n', '2 tasks'],
    ['{"sent":2}\n{"failed":4,"why":"it"}\n{"updated":5}\n', '1 task'],
  ]) {
    await writeFile(journal, `${header}\n${lines}`);
    const ran = await wm([...asked, '--resume', '--errors', errors], { exit: 2 });
    assert.ok(ran.errors.includes(`Update ${tasks}?`), ran.errors);
  }
  await writeFile(journal, `${header}\n{"updated":2}\n{"updated":4}\n{"updated":5}\n`);
  const ran = await wm([...asked, '--resume', '--errors', errors, '--verbose'], { exit: 8 });
  assert.doesNotMatch(ran.errors, /Update |PUT /);
  assert.match(
    await readFile(errors, 'utf8'),
    new RegExp(`\n3,.*,${second},b,too much\n6,.*,${second},e,too much\n`),
  );
});

/** Rows of tasks that do not exist, and the header of their journal. */
async function unknownRows(context: TestContext, count: number) {
  const rows = Array.from({ length: count }, (_, at) => `T${at},x`);
  const bulk = await bulkOf(context, ...rows);
  const unauthorized = () => bulk.control('faults', { request: 'updateTask', status: 401, times: 1 });
  await unauthorized();
  assert.equal((await bulk.wm(bulk.argv)).status, 4);
  const [header = ''] = (await readFile(bulk.journal, 'utf8')).split('\n');
  const lines = rows.map((_, at) => `{"sent":${at + 2}}\n`).join('');
  await writeFile(bulk.journal, `${header}\n${lines}`);
  return { ...bulk, unauthorized };
}

for (const [count, more] of [
  [50, ''],
  [52, ' and 2 more'],
] as const) {
  test(`of ${count} rows with an unknown outcome, names the first 50 before sending them again`, async (context) => {
    const { wm, argv } = await unknownRows(context, count);
    const ran = await wm([...argv.filter((word) => word !== '--yes'), '--resume'], { exit: 2 });
    const named = Array.from({ length: 50 }, (_, at) => `line ${at + 2} (T${at})`).join(', ');
    assert.ok(
      ran.errors.includes(`\nSent before without a response, and sent again now: ${named}${more}\n`),
      ran.errors,
    );
  });
}

test('counts rows with an unknown outcome that a resumed run did not reach, without naming them', async (context) => {
  const { wm, argv, control, unauthorized } = await unknownRows(context, 3);
  await unauthorized();
  const none = await wm([...argv, '--resume'], { exit: 4 });
  assert.match(none.errors, /^wm: 3 of 3 rows were sent and have no usable response\n/m);
  assert.match(none.errors, /^ {2}Sent, with an unknown outcome: 3 rows\. --resume sends them again\.$/m);
  await control('faults', { request: 'updateTask', cutAfter: 0, times: 3 });
  await unauthorized();
  const one = await wm([...argv, '--resume'], { exit: 8 });
  assert.match(
    one.errors,
    /^ {2}Sent, with an unknown outcome: line 2 \(T0\), 2 more\. --resume sends them again\.$/m,
  );
});

test('--restart of a run without unknown outcomes counts the updated rows', async (context) => {
  const { wm, argv, journal } = await bulkOf(context, `${first},a`, `${second},b`);
  await wm(argv, { exit: 0 });
  const [header] = (await readFile(journal, 'utf8')).split('\n');
  await writeFile(journal, `${header}\n{"sent":2}\n{"updated":2}\n`);
  const ran = await wm([...argv, '--restart'], { exit: 0 });
  assert.match(ran.errors, /^Discarding the journal of an earlier run: 1 row of 2 was updated\.$/m);
});

test('ids on the command line without a sign-in: nothing is sent, and the journal blocks no later run', async (context) => {
  const { wm, folder } = await emulated(context, {}, { signedOut: true });
  const environment = { WM_CONFIG_DIR: join(folder, 'config') };
  const world = { files: createFiles(environment, process.platform, folder) };
  const argv = ['task', 'update', first, second, '--title', 'x', '--yes'];
  for (const more of [[], ['--resume']]) {
    const ran = await run([...argv, ...more], { environment, world });
    assert.equal(ran.status, 4, ran.errors);
    assert.equal(ran.output, '');
    assert.match(ran.errors, /^2 of 2 rows from the command line will be updated \(title\)\n/);
  }
  await wm(['task', 'get', first], { exit: 4 });
});

test('rows that were read ahead and never sent are not undone', async (context) => {
  const { wm, argv, control } = await bulkOf(context, `${first},a`, `${second},b`, `${third},c`);
  await control('faults', { request: 'updateTask', status: 401, times: 1 });
  await wm(argv.with(argv.indexOf('--no-undoable'), '--undoable'), { exit: 4 });
  for (const id of [first, second, third]) {
    const undone = await wm(['task', 'undo', id, '--yes']);
    assert.notEqual(undone.status, 0);
    assert.match(undone.errors, new RegExp(`^wm: The undo log has no update of ${id}\n`));
  }
});

test('an undoable row counts as updated, whatever the service shows of the task afterwards', async (context) => {
  const server = await startRawServer((request) =>
    jsonReply(200, { kind: 'tasks', data: [{ id: first, title: request.startsWith('PUT') ? 5 : 'before' }] }),
  );
  context.after(() => server.close());
  const { wm, argv } = await bulkOf(context, `${first},a`);
  const ran = await wm(argv.with(argv.indexOf('--no-undoable'), '--undoable'), {
    environment: { WM_HOST: server.host },
    exit: 0,
  });
  assert.equal(ran.output, `2\t${first}\tupdated\t\n`);
});

/** A disk that fails after the first 256 KiB. */
async function* breaking(bytes: AsyncIterable<Uint8Array>, path: string) {
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    yield chunk;
    if (length >= 256 * 1024)
      throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read', path });
  }
}

test('if the input cannot be read again, the results of an earlier run remain to be listed', async (context) => {
  // Longer than what is held back until it is known to be unchanged, and than what is kept in memory.
  const gap = '\n'.repeat(1600 * 1024);
  const rows = [`${first},a`, `${gap}${second},b`];
  const { wm, argv, journal, path, folder, environment } = await bulkOf(context, ...rows);
  await wm(argv, { exit: 0 });
  const [header] = (await readFile(journal, 'utf8')).split('\n');
  const last = gap.length + 3;
  await writeFile(journal, `${header}\n{"updated":2}\n{"updated":${last}}\n`);
  const real = createFiles(environment, process.platform, folder);
  // The last read, from which the rows are listed.
  const reads = { left: 4 };
  const files: Files = {
    ...real,
    stream: async (name) => {
      const bytes = await real.stream(name);
      return bytes && name === path && --reads.left === 0 ? breaking(bytes, path) : bytes;
    },
  };
  const ran = await wm([...argv, '--resume'], { world: { files }, exit: 1 });
  assert.match(
    ran.errors,
    /^wm: Not every result was listed\n {2}Cannot read \S+tasks\.csv: input\/output error \(EIO\)\n {2}Every row was updated\. Run the same command with --resume: it sends nothing again and lists the 1 row that was not listed\.\n/m,
  );
  assert.equal(ran.output, `2\t${first}\tupdated\t\n`);
  const again = await wm([...argv, '--resume'], { exit: 0 });
  assert.equal(again.output, `${last}\t${second}\tupdated\t\n`);
});

test('an unexpected error ends the run as a bug, after the rows are counted', async (context) => {
  const { wm, argv, task } = await bulkOf(context, `${first},a`, `${second},b`);
  const before = await task(first);
  const http = {
    send: () => Promise.reject(new TypeError('a slip')),
  };
  const ran = await wm(argv, { world: { http }, exit: 1 });
  assert.match(
    ran.errors,
    /^0 of 2 rows updated in .*, 2 not sent\nwm: TypeError: a slip\n {2}This is a bug in wm\./m,
  );
  assert.deepEqual(await task(first), before);
});
