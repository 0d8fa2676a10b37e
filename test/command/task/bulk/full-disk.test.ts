// A bulk on a disk that is full, at every stage and at each two of them: whatever cannot be written, every row that had a
// response is reported, then or by --resume, and none of them is sent again.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { createWorld } from '../../../../src/world/create-world.ts';
import { createFiles } from '../../../../src/world/files.ts';
import type { Http, Output } from '../../../../src/world/world.ts';
import { type Emulated, emulated } from '../../emulated.ts';
import { faultyFiles, faultyOutput, type Place, places, type Room, watchedHttp } from './faulty-disk.ts';

const rows = 48;
/** Rows that the service rejects, and rows that are never sent. */
const missing = (at: number) => at % 8 === 3;
const invalid = (at: number) => at % 12 === 7;

interface Bulk extends Emulated {
  readonly path: string;
  readonly ids: readonly string[];
}

async function bulk(context: TestContext, isGood = false): Promise<Bulk> {
  const service = await emulated(context);
  const made = (await service.control('tasks', { count: rows })) as { taskIds: readonly string[] };
  const ids = made.taskIds.map((id, at) => (missing(at) && !isGood ? `IEAAAAAQKQNNN${100 + at}` : id));
  const path = join(service.folder, 'tasks.csv');
  const lines = ids.map((id, at) => `${id},title,${invalid(at) && !isGood ? 'Nonsense' : 'Active'}`);
  await writeFile(path, ['id,title,status', ...lines, ''].join('\n'));
  return { ...service, path, ids };
}

interface Ended {
  readonly status: number;
  readonly errors: string;
  /** What standard output has, by line. */
  readonly reported: ReadonlyMap<number, string>;
  /** How much standard output has. */
  readonly bytes: number;
  readonly sent: readonly number[];
  readonly answered: readonly number[];
}

let runs = 0;

/** A run of its own journal and its own file of errors, on a disk with little room, and what it takes to resume it. */
function runner({ wm, path, ids, folder, environment }: Bulk, json = false) {
  const own = join(folder, `run-${runs++}`);
  const lineOf = new Map(ids.map((id, at) => [id, at + 2]));
  const argv = ['task', 'update', '--from', path, '--yes', '--undoable', '--concurrency', '4'];
  const named = ['--journal', join(own, 'journal'), '--errors', join(own, 'failed.csv')];
  const run = async (room: Room, more: readonly string[] = []): Promise<Ended> => {
    await mkdir(own, { recursive: true });
    const { http, sent, answered } = watchedHttp();
    const { output, text } = faultyOutput(room);
    const config = { ...environment, WM_CONFIG_DIR: join(own, 'config') };
    let errors = '';
    const real = createWorld().streams;
    const ran = await wm([...argv, ...named, ...(json ? ['--json'] : []), ...more], {
      environment: { WM_CONFIG_DIR: join(own, 'config') },
      world: {
        http,
        files: faultyFiles(config, folder, room),
        streams: {
          ...real,
          output,
          errors: {
            ...output,
            write: async (line) => {
              errors += line;
            },
          },
        },
      },
    });
    const lines = text().split('\n').slice(0, -1);
    const results = lines.map((line): readonly [number, string] => {
      if (!json) return [Number(line.split('\t')[0]), line.split('\t')[2] ?? ''];
      const row = JSON.parse(line);
      return [row.line, row.outcome];
    });
    return {
      status: ran.status,
      errors,
      reported: new Map(results),
      bytes: Buffer.byteLength(text()),
      sent: sent.map((id) => lineOf.get(id) ?? 0),
      answered: answered.map((id) => lineOf.get(id) ?? 0),
    };
  };
  return { run, errorsFile: join(own, 'failed.csv') };
}

const expected = Array.from({ length: rows }, (_, at): readonly [number, string] => {
  if (invalid(at)) return [at + 2, 'invalid'];
  return [at + 2, missing(at) ? 'failed' : 'updated'];
});

const byLine = ([a]: readonly [number, string], [b]: readonly [number, string]) => a - b;

async function holds(service: Bulk, room: Room, json: boolean): Promise<Ended> {
  const { run, errorsFile } = runner(service, json);
  const first = await run(room);
  assert.doesNotMatch(first.errors, /bug in wm|internal/, first.errors);
  const begun = first.errors.includes(' rows updated in ');
  // Where not even the first line of the journal has room, nothing begins.
  if (!begun) assert.deepEqual([first.status, first.sent], [1, []], first.errors);
  else assert.equal(first.status, 8, first.errors);
  for (const [line, outcome] of first.reported)
    if (outcome !== 'not-sent')
      assert.equal(outcome, expected[line - 2]?.[1], `line ${line}: ${first.errors}`);
  // What standard output takes, it has at once.
  if (room.output === undefined)
    for (const line of first.answered) assert.ok(first.reported.has(line), `line ${line}: ${first.errors}`);

  // Where all had room, there is nothing to resume, and a new run would begin.
  if (!first.errors.includes('ENOSPC')) {
    assert.deepEqual([...first.reported].toSorted(byLine), expected);
    return first;
  }
  const second = await run({}, ['--resume']);
  assert.equal(second.status, 8, second.errors);
  // Where it was the journal that had no room, they were.
  assert.doesNotMatch(second.errors, /never listed/);
  const all = new Map([...first.reported, ...second.reported]);
  assert.deepEqual([...all].toSorted(byLine), expected, `${first.errors}\n${second.errors}`);
  if (room.journal === undefined) {
    const again = second.sent.filter((line) => first.answered.includes(line));
    assert.deepEqual(again, [], `sent again: ${first.errors}\n${second.errors}`);
    if (room.output === undefined) {
      const twice = [...second.reported.keys()].filter((line) => {
        const before = first.reported.get(line);
        return before !== undefined && before !== 'not-sent';
      });
      assert.deepEqual(twice, [], 'listed twice');
    }
  }
  // The file of --errors has all that was not updated, whichever run learned it.
  const listed = (await readFile(errorsFile, 'utf8')).split('\n').slice(1, -1);
  assert.deepEqual(
    listed.map((line) => Number(line.split(',')[0])).toSorted((a, b) => a - b),
    expected.filter(([, outcome]) => outcome !== 'updated').map(([line]) => line),
  );
  return first;
}

const rooms = [0, 130, 250, 600, 1200];

for (const place of places) {
  test(`no room for the ${place}: rows with a response = rows reported, then or by --resume`, async (context) => {
    const service = await bulk(context);
    let cut = 0;
    for (const room of rooms) {
      for (const json of [false, true]) {
        const { answered, errors } = await holds(service, { [place]: room }, json);
        if (/ENOSPC/.test(errors)) cut++;
        // The file of errors can be written anew; without any of the others nothing more is sent.
        if (place === 'errors')
          assert.equal(answered.length, expected.filter(([, one]) => one !== 'invalid').length);
      }
    }
    assert.ok(cut >= rooms.length, `${cut} runs met the full disk`);
  });
}

const pairs = places.flatMap((one, at) =>
  places.slice(at + 1).map((other): readonly [Place, Place] => [one, other]),
);

test('no room for two of them at once, each at its own time', async (context) => {
  const service = await bulk(context);
  const room = fc.integer({ min: 120, max: 2000 });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...pairs),
      room,
      room,
      fc.boolean(),
      async ([one, other], a, b, json) => {
        await holds(service, { [one]: a, [other]: b }, json);
      },
    ),
    { numRuns: 40 },
  );
});

for (const [place, says] of [
  [
    'output',
    /^wm: Cannot write the result\n {2}ENOSPC.*\n {2}Every row was updated\. Run the same command with --resume: it sends nothing again and lists the (?:1 row that was|\d+ rows that were) not listed\.\n/m,
  ],
  [
    'journal',
    /^wm: Cannot write \S+journal\n.*\n {2}Every row was updated\. Each was listed\. --resume may send the last rows again\.$/m,
  ],
] as const) {
  test(`every row is updated and only the ${place} lacks something: exit 1, and how to get it`, async (context) => {
    const service = await bulk(context, true);
    const whole = await runner(service).run({});
    assert.equal(whole.status, 0, whole.errors);
    const { run } = runner(service);
    // The very last write fails.
    const first = await run(place === 'output' ? { output: whole.bytes - 1 } : { journal: /finished/ });
    assert.equal(first.status, 1, first.errors);
    assert.match(first.errors, says);
    assert.match(first.errors, /48 of 48 rows updated/);
    const second = await run({}, ['--resume']);
    assert.equal(second.status, 0, second.errors);
    if (place === 'output') assert.deepEqual(second.sent, []);
    assert.equal(new Set([...first.reported.keys(), ...second.reported.keys()]).size, rows);
  });
}

test('rows were not updated, and the journal lacks only its end: --resume is still the first step', async (context) => {
  const service = await bulk(context);
  const { run, errorsFile } = runner(service);
  const first = await run({ journal: /finished/ });
  assert.equal(first.status, 8, first.errors);
  const lost = 'The journal lacks the end of this run: --resume may send the last rows of it again.';
  assert.ok(
    first.errors.includes(
      `\n  First run the same command with --resume. ${lost}\n  Then fix ${errorsFile}, and send it with --from ${errorsFile}. Now it has the 8 rows that failed or are invalid; --resume writes it again.\n`,
    ),
    first.errors,
  );
});

test('every row is updated, and neither the last results nor the end of the journal can be written', async (context) => {
  const { wm, path, folder, environment } = await bulk(context, true);
  const journal = join(folder, 'journal');
  const files = createFiles(environment, process.platform, folder);
  const unwritable = () =>
    Promise.reject(
      Object.assign(new Error('EIO: i/o error, close'), { code: 'EIO', syscall: 'close', path: journal }),
    );
  const lossy = {
    ...files,
    async append(name: string, options: { mode: number }) {
      const file = await files.append(name, options);
      return name === journal ? { ...file, close: () => file.close().then(unwritable) } : file;
    },
  };
  // Standard output fails once every row has its response.
  const { http: real } = createWorld();
  let left = rows;
  let end = () => {};
  const allAnswered = new Promise<void>((resolve) => {
    end = resolve;
  });
  const count = (inner: Http): Http => ({
    async send(request, options) {
      const outcome = await inner.send(request, options);
      if (request.method === 'PUT' && --left === 0) end();
      return outcome;
    },
  });
  const http = {
    ...count(real),
    withConnections: async (most: number) => count((await real.withConnections?.(most)) ?? real),
  };
  const { output } = faultyOutput({ output: 0 });
  let errors = '';
  const streams = {
    ...createWorld().streams,
    output: { ...output, write: (text: string) => allAnswered.then(() => output.write(text)) },
    errors: {
      ...output,
      write: async (text: string) => {
        errors += text;
      },
    },
  };
  const argv = ['task', 'update', '--from', path, '--yes', '--journal', journal];
  const ran = await wm(argv, { world: { files: lossy, http, streams } });
  assert.equal(ran.status, 1, errors);
  assert.match(
    errors,
    /^wm: Cannot write the result\n[\s\S]*\n {2}Every row was updated\. Run the same command with --resume: it lists the 48 rows that were not listed\. The journal lacks the end of this run: --resume may send the last rows of it again\.\n/m,
  );
  assert.match(errors, /^Cannot write \S+journal: input\/output error \(EIO\)$/m);
});

test('once standard output cannot be written, no further row is sent; without the file of errors, every one is', async (context) => {
  const { wm, path, folder } = await bulk(context, true);
  const argv = ['task', 'update', '--from', path, '--yes', '--concurrency', '4'];
  const { http, sent } = watchedHttp();
  let failed = () => {};
  const failure = new Promise<void>((resolve) => {
    failed = resolve;
  });
  // Those that come behind the first four wait until standard output has failed.
  const hold = (inner: Http): Http => ({
    async send(request, options) {
      if (request.method === 'PUT' && sent.length >= 4) {
        const outcome = inner.send(request, options);
        await failure;
        return outcome;
      }
      return inner.send(request, options);
    },
  });
  const { output } = faultyOutput({ output: 0 });
  const streams = {
    ...createWorld().streams,
    errors: { ...output, write: async () => {} },
    output: {
      ...output,
      write: (text: string) => output.write(text).finally(() => setImmediate(failed)),
    },
  };
  const world = {
    streams,
    http: { ...hold(http), many: async (most: number) => hold((await http.withConnections?.(most)) ?? http) },
  };
  const ran = await wm([...argv, '--journal', join(folder, 'held')], { world });
  assert.equal(ran.status, 8);
  assert.ok(sent.length >= 4 && sent.length <= 8, `${sent.length} were sent`);
});

test('a reader that has gone is no error, and --resume lists what it did not take', async (context) => {
  const { wm, path, folder } = await bulk(context, true);
  const argv = ['task', 'update', '--from', path, '--yes', '--journal', join(folder, 'gone')];
  let errors = '';
  const gone: Output = { ...faultyOutput({}).output, isReaderGone: true };
  const write = async (text: string) => {
    errors += text;
  };
  const streams = { ...createWorld().streams, output: gone, errors: { ...gone, write } };
  assert.equal((await wm(argv, { world: { streams } })).status, 0, errors);
  const again = await wm(argv);
  assert.equal(again.status, 2);
  assert.match(
    again.errors,
    /ended early: 48 of 48 rows are done, 48 not recorded as listed\n {2}Continue it: --resume/,
  );
  const resumed = await wm([...argv, '--resume', '--verbose']);
  assert.equal(resumed.status, 0, resumed.errors);
  assert.equal(resumed.output.split('\n').length, rows + 1);
  assert.doesNotMatch(resumed.errors, /PUT /);
});

test('standard error that cannot be written keeps no result back', {
  skip: process.platform === 'win32' && 'no such device there',
}, async (context) => {
  const { path, folder, environment } = await bulk(context, true);
  const full = await open('/dev/full', 'a');
  const argv = ['task', 'update', '--from', path, '--yes', '--verbose', '--journal', join(folder, 'mute')];
  const child = spawn(process.execPath, [resolve('bin/wm.js'), ...argv], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', full.fd],
  });
  let output = '';
  child.stdout?.on('data', (text) => (output += text));
  assert.equal(await new Promise((done) => child.on('close', done)), 0);
  await full.close();
  assert.equal(output.match(/\tupdated\t\n/g)?.length, rows);
});

test('a real reader that goes away: the rows it did not take are listed by --resume', async (context) => {
  const { path, folder, environment } = await bulk(context, true);
  const argv = [
    'task',
    'update',
    '--from',
    path,
    '--yes',
    '--concurrency',
    '1',
    '--journal',
    join(folder, 'real'),
  ];
  const start = (more: readonly string[]) =>
    spawn(process.execPath, [resolve('bin/wm.js'), ...argv, ...more], {
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const child = start([]);
  // Before it has taken anything: what is in a pipe counts as taken.
  child.stdout.destroy();
  child.stderr.resume();
  assert.equal(await new Promise((done) => child.on('close', done)), 0);
  const second = start(['--resume', '--verbose']);
  let rest = '';
  let errors = '';
  second.stdout.on('data', (text) => (rest += text));
  second.stderr.on('data', (text) => (errors += text));
  assert.equal(await new Promise((done) => second.on('close', done)), 0);
  const lines = rest.split('\n').map((line) => Number(line.split('\t')[0]));
  assert.equal(new Set(lines.filter((line) => line > 0)).size, rows);
  assert.doesNotMatch(errors, /PUT /);
});

test('a real file that may grow no longer, and a device that is full, as standard output', {
  skip: process.platform === 'win32' && 'no ulimit there',
}, async (context) => {
  const service = await bulk(context, true);
  const { path, folder, environment } = service;
  const program = async (output: string, script: string, more: readonly string[]) => {
    const file = await open(output, 'a');
    const argv = ['task', 'update', '--from', path, '--yes', '--journal', join(folder, 'real'), ...more];
    const child = spawn(
      'sh',
      ['-c', `${script}exec "$@"`, 'sh', process.execPath, resolve('bin/wm.js'), ...argv],
      {
        env: { PATH: process.env['PATH'], ...environment },
        stdio: ['ignore', file.fd, 'pipe'],
      },
    );
    let errors = '';
    child.stderr?.on('data', (text) => (errors += text));
    const status = await new Promise((done) => child.on('close', done));
    await file.close();
    return { status, errors };
  };
  const linesOf = async (file: string) => {
    const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
    return lines
      .filter((line) => /^\d+\t\w+\tupdated\t$/.test(line))
      .map((line) => Number(line.split('\t')[0]));
  };
  const full = await program('/dev/full', '', []);
  assert.ok(full.status === 1 || full.status === 8, full.errors);
  assert.match(full.errors, /Cannot write the result[\s\S]*--resume/);
  // Some results have room, and then a part of one; the journal is the shorter file.
  const short = join(folder, 'short');
  await writeFile(short, `${'x'.repeat(512 * 8 - 200)}\n`);
  const cut = await program(short, "trap '' XFSZ; ulimit -f 8; ", ['--resume']);
  assert.ok(cut.status === 1 || cut.status === 8, cut.errors);
  assert.match(cut.errors, /Cannot write the result[\s\S]*EFBIG/);
  const rest = join(folder, 'rest');
  const over = await program(rest, '', ['--resume']);
  assert.equal(over.status, 0, over.errors);
  const listed = new Set([...(await linesOf(short)), ...(await linesOf(rest))]);
  assert.deepEqual(
    [...listed].toSorted((a, b) => a - b),
    Array.from({ length: rows }, (_, at) => at + 2),
  );
});
