// A bulk run that ended early, in ways that need a journal, a disk or a network of the test's own. test/transcript/task-resume.txt
// and task-ended.txt show the others.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { aroundHttp } from '#test/support/service/around-http.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';
import { createFiles } from '#world/files.ts';
import type { Files } from '#world/world.ts';

const { task: first, backlog: second, milestone: third } = sample;
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
