// A kill in the middle of a bulk run loses nothing that was written, so it names only the rows that were in flight. test/simulation/bulk.ts has
// power cuts; here is what is said of them.

import assert from 'node:assert/strict';
import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gate } from '#test/support/gate.ts';
import { type Emulated, emulated } from '#test/support/program/emulated.ts';
import { aroundHttp } from '#test/support/service/around-http.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import type { Files, Lock } from '#world/world.ts';

const rows = 40;
/** How many updates get their response before the machine stops. */
const answered = 12;
const concurrency = 4;

/** The machine that stops still holds the real lock. */
const freeLock: Lock = {
  ...createWorld().lock,
  acquire: async () => ({
    id: '',
    isInPlace: async () => true,
    release: async () => {},
    descriptor: undefined,
    handOverTo: async () => {},
  }),
};

interface Stopped extends Emulated {
  after(end: () => Promise<void>): void;
}

interface Machine {
  readonly files: Files;
  /** How many bytes of the journal are on the disk; undefined before the first sync. */
  synced(): number | undefined;
}

/** Its files are real, but only the first so many syncs succeed: the others last until the machine stops. */
function machine({ environment, after }: Stopped, boot: string | undefined, syncs: number): Machine {
  const files = createFiles(environment, 'linux');
  let written = 0;
  let synced: number | undefined;
  return {
    synced: () => synced,
    files: {
      ...files,
      bootId: () => boot,
      async append(path, options) {
        const file = await files.append(path, options);
        if (!path.endsWith('journal')) return file;
        written = file.size;
        // A run that was stopped never closes it.
        after(() => file.close().catch(() => {}));
        return {
          ...file,
          write(content) {
            file.write(content);
            written += Buffer.byteLength(content);
          },
          async sync() {
            const length = written;
            if (syncs-- <= 0) await new Promise(() => {});
            await file.sync();
            synced = length;
          },
        };
      },
    },
  };
}

/** Passes the first so many updates on, and then never responds. Resolves `stopped` when every worker waits. */
function stoppingHttp(updates: number, onUpdate: () => void = () => {}) {
  const log: string[] = [];
  const { opened: stopped, open: stop } = gate();
  let waiting = 0;
  const http = aroundHttp(({ method, url }, pass) => {
    const id = method === 'PUT' ? /\/tasks\/([^?]+)/.exec(url)?.[1] : undefined;
    if (id === undefined) return pass();
    log.push(id);
    onUpdate();
    if (log.length <= updates) return pass();
    if (++waiting === concurrency) stop();
    return new Promise(() => {});
  });
  return { http, stopped, log };
}

async function stage(context: TestContext) {
  const service: Stopped = { ...(await emulated(context)), after: (end) => context.after(end) };
  const made = (await service.control('tasks', { count: rows })) as { taskIds: readonly string[] };
  const ids = made.taskIds;
  const path = join(service.folder, 'tasks.csv');
  await writeFile(path, `id,title\n${ids.map((id, index) => `${id},title ${index}`).join('\n')}\n`);
  const journal = join(service.folder, 'journal');
  const argv = ['task', 'update', '--from', path, '--journal', journal, '--no-undoable'];
  const sending = [...argv, '--yes', '--concurrency', String(concurrency)];
  const lineOf = (id: string) => ids.indexOf(id) + 2;
  return {
    service,
    path,
    journal,
    argv,
    /** Returns the lines that were sent, once no worker does anything any more. */
    async stopIn(files: Files) {
      const { http, stopped, log } = stoppingHttp(answered);
      const ended = service.wm(sending, { world: { files, http, lock: freeLock } });
      await Promise.race([stopped, ended.then(({ errors }) => assert.fail(errors))]);
      return log.map(lineOf);
    },
    /** Ctrl-C. Returns the lines that were sent. */
    async interrupted(files: Files) {
      let interrupt: (signal: 'SIGINT') => void = () => {};
      const { http, log } = stoppingHttp(Number.POSITIVE_INFINITY, () => {
        if (log.length === answered) interrupt('SIGINT');
      });
      const process = {
        ...createWorld().process,
        onInterrupt(listener: typeof interrupt) {
          interrupt = listener;
          return () => {};
        },
      };
      assert.equal((await service.wm(sending, { world: { files, http, process } })).status, 130);
      return log.map(lineOf);
    },
    async resume(boot: string | undefined, ...more: readonly string[]) {
      const { files } = machine(service, boot, Number.POSITIVE_INFINITY);
      const { http, log } = stoppingHttp(Number.POSITIVE_INFINITY);
      const ran = await service.wm([...argv, '--resume', ...more], { world: { files, http } });
      return { ...ran, sent: log.map(lineOf) };
    },
  };
}

const namedLines = (errors: string): readonly number[] => {
  const [, list = ''] = /^Sent before without a response, and sent again now: (.*)$/m.exec(errors) ?? [];
  return [...list.matchAll(/line (\d+) /g)].map(([, line]) => Number(line));
};
const cutOff =
  /The earlier run was cut off, so its journal may lack the rows that it sent last: \d+ rows count as sent\.$/m;

test('after a kill, only the rows in flight are named; where the machine cannot tell, as after a power cut', async (context) => {
  const { service, journal, stopIn, resume } = await stage(context);
  const before = await stopIn(machine(service, 'first', 1).files);
  const inFlight = before.slice(answered);
  const text = await readFile(journal);
  const unsure = await resume(undefined, '--no-input');
  assert.match(unsure.errors, cutOff);
  assert.equal(namedLines(unsure.errors).length, rows - answered);
  assert.deepEqual(await readFile(journal), text, 'nothing has changed');

  const { ino } = await stat(journal);
  await writeFile(
    `${journal}.01234567-89ab-cdef-0123-456789abcdef`,
    'of a run that was killed while it did the same',
  );
  const resumed = await resume('first', '--yes');
  assert.equal(resumed.status, 0, resumed.errors);
  assert.doesNotMatch(resumed.errors, cutOff);
  assert.deepEqual(namedLines(resumed.errors), inFlight);
  assert.deepEqual(
    resumed.sent.filter((line) => before.includes(line)),
    inFlight,
  );
  assert.notEqual(
    (await stat(journal)).ino,
    ino,
    'it was written anew, since a failed sync may have dropped entries',
  );
  assert.ok((await readFile(journal)).includes(text));
  assert.deepEqual(await readdir(dirname(journal)), ['config', 'journal', 'journal.lock', 'tasks.csv']);
});

test('a run that ended by itself leaves no doubt, even after a restart of the machine', async (context) => {
  const { service, journal, interrupted, resume } = await stage(context);
  const before = await interrupted(machine(service, 'first', Number.POSITIVE_INFINITY).files);
  assert.ok(before.length < rows);
  const { ino } = await stat(journal);
  const resumed = await resume('second', '--yes');
  assert.equal(resumed.status, 0, resumed.errors);
  assert.doesNotMatch(resumed.errors, /cut off|Sent before/);
  assert.deepEqual(
    resumed.sent.filter((line) => before.includes(line)),
    [],
  );
  assert.equal((await stat(journal)).ino, ino, 'the disk has all of it');
});

test('without --resume, a run whose sent rows may all be lost is not begun again', async (context) => {
  const { service, journal, argv, stopIn } = await stage(context);
  const cut = machine(service, 'first', 1);
  await stopIn(cut.files);
  await truncate(journal, cut.synced() ?? 0);
  const { files } = machine(service, 'second', 1);
  const ran = await service.wm([...argv, '--yes'], { world: { files } });
  assert.equal(ran.status, 2, ran.errors);
  assert.match(ran.errors, /ended early: 0 of 40 rows are done, others may have been sent\n.*--resume/);
});

test('what may have been sent is said too, if the run is begun anew or its input has changed', async (context) => {
  const { service, path, journal, argv, stopIn } = await stage(context);
  const cut = machine(service, 'first', 1);
  await stopIn(cut.files);
  await truncate(journal, cut.synced() ?? 0);
  const { files } = machine(service, 'second', 1);
  const again = async (flag: string) => (await service.wm([...argv, flag], { world: { files } })).errors;
  assert.match(await again('--restart'), /: 0 of 40 rows were updated, others may have been sent\.$/m);
  const [head, first] = (await readFile(path, 'utf8')).split('\n');
  await writeFile(path, `${head}\n${first}\n`);
  assert.match(await again('--resume'), /39 of its 40 rows were left, 39 of them may have been sent: line 3/);
});

test('a new journal whose first sync fails is removed; kept by a kill, it is not that of an older wm', async (context) => {
  const { service, path, journal, argv, resume } = await stage(context);
  await writeFile(path, `${await readFile(path, 'utf8')}x,\n`);
  let text = '';
  const files = {
    ...createFiles(service.environment, 'linux'),
    async append(place: string, options: Parameters<Files['append']>[1]) {
      const file = await createFiles(service.environment, 'linux').append(place, options);
      const sync = async () => {
        text ||= await readFile(journal, 'utf8');
        throw new Error('EIO');
      };
      return { ...file, sync };
    },
  };
  await service.wm([...argv, '--yes'], { world: { files } });
  await assert.rejects(readFile(journal), { code: 'ENOENT' });
  await writeFile(
    journal,
    `${text.replaceAll(/^\{"(?:may-send|sent)".*\n/gm, '')}{"invalid":42,"message":"x"}\n`,
  );
  const resumed = await resume('first', '--no-input');
  assert.match(resumed.errors, /^Done in an earlier run: 1 of 41 rows/m);
  assert.doesNotMatch(resumed.errors, /older wm/);
});
