// A bulk on a disk that is full: whatever cannot be written, every row that had a response is reported, then or by --resume,
// and none of them is sent again. A few places on the disk are quick; every one, and each two of them, are deep.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Emulated, emulated } from '#test/support/program/emulated.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { faultyFiles, faultyOutput, type Place, type Room, watchedHttp } from './faulty-disk.ts';

export const rows = 48;
/** Rows that the service rejects, and rows that are never sent. */
const missing = (at: number) => at % 8 === 3;
const invalid = (at: number) => at % 12 === 7;

export interface Bulk extends Emulated {
  readonly path: string;
  readonly ids: readonly string[];
}

export async function bulk(context: TestContext, isGood = false): Promise<Bulk> {
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

/** A run of its own journal and its own file of errors, on a disk with little room, and what it takes to resume it. */
export function runner({ wm, path, ids, folder, environment }: Bulk, json = false) {
  const own = join(folder, `run-${randomUUID()}`);
  const lineOf = new Map(ids.map((id, at) => [id, at + 2]));
  const argv = ['task', 'update', '--from', path, '--yes', '--undoable', '--concurrency', '4'];
  const named = ['--journal', join(own, 'journal'), '--errors', join(own, 'failed.csv')];
  const run = async (room: Room, more: readonly string[] = []): Promise<Ended> => {
    await mkdir(own, { recursive: true });
    const { http, sent, answered } = watchedHttp();
    const { output, text } = faultyOutput(room);
    const config = { ...environment, WM_CONFIG_DIR: join(own, 'config') };
    const { streams, texts } = collectStreams();
    const ran = await wm([...argv, ...named, ...(json ? ['--json'] : []), ...more], {
      environment: { WM_CONFIG_DIR: join(own, 'config') },
      world: {
        http,
        files: faultyFiles(config, folder, room),
        streams: { ...streams, output },
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
      errors: texts.errors,
      reported: new Map(results),
      bytes: Buffer.byteLength(text()),
      sent: sent.map((id) => lineOf.get(id) ?? 0),
      answered: answered.map((id) => lineOf.get(id) ?? 0),
    };
  };
  return { run, errorsFile: join(own, 'failed.csv') };
}

export const expected = Array.from({ length: rows }, (_, at): readonly [number, string] => {
  if (invalid(at)) return [at + 2, 'invalid'];
  return [at + 2, missing(at) ? 'failed' : 'updated'];
});

const byLine = ([a]: readonly [number, string], [b]: readonly [number, string]) => a - b;

/** Runs it with so much room, then resumes it, and checks that no row is lost or listed twice. */
export async function holds(service: Bulk, room: Room, json: boolean): Promise<Ended> {
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

/** No room for it, once it has each of so many bytes. */
export async function fillPlace(
  context: TestContext,
  place: Place,
  rooms: readonly number[],
  forms: readonly boolean[],
): Promise<void> {
  const service = await bulk(context);
  let cut = 0;
  for (const room of rooms) {
    for (const json of forms) {
      const { answered, errors } = await holds(service, { [place]: room }, json);
      if (/ENOSPC/.test(errors)) cut++;
      // The file of errors can be written anew; without any of the others nothing more is sent.
      if (place === 'errors')
        assert.equal(answered.length, expected.filter(([, one]) => one !== 'invalid').length);
    }
  }
  assert.ok(cut >= rooms.length, `${cut} runs met the full disk`);
}
