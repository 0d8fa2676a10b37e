// `wm webhook log` of a long journal: no text that it writes grows with the number of deliveries, because a million of them would
// be longer than a string can be, and a reader that leaves early gets no more. And more deliveries than a function takes arguments.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstCells, objectsIn } from '#test/support/program/cells.ts';
import { handSignals } from '#test/support/program/manual-signals.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { createWorld } from '#world/create-world.ts';
import { attempt, received, writtenJournal } from '../deliveries/written-journal.ts';

const deliveries = 3_500;
/** Of one delivery, as JSON, with room to spare. */
const longest = 1_200;

/** --follow ends once what is there has been read. */
function followingOnce() {
  const signals = handSignals();
  const sleep = async () => {
    signals.interrupt();
    return new Promise<void>(() => {});
  };
  const process = { ...signals.process, self: ['node'] as const };
  return { process, clock: { ...createWorld().clock, sleep } };
}

test('a long list is printed in parts: in a pipe, as JSON, and before following', async (context) => {
  const written = await writtenJournal(context);
  const journal = await written.open();
  await Promise.all(
    Array.from({ length: deliveries }, (_, at) => journal.append(received('TaskCreated', `A${at}`))),
  );
  for (let at = 1; at <= deliveries; at++) journal.record(attempt(at));
  await journal.close();

  /** The length of each text, and all of them. */
  const print = async (words: string, leavesAfter = Number.POSITIVE_INFINITY) => {
    const { streams } = collectStreams();
    const lengths: number[] = [];
    let text = '';
    const output = {
      ...streams.output,
      async write(piece: string) {
        lengths.push(piece.length);
        text += piece;
      },
      get isReaderGone() {
        return lengths.length >= leavesAfter;
      },
    };
    const isFollowing = words.includes('--follow');
    const world = { streams: { ...streams, output }, ...(isFollowing ? followingOnce() : {}) };
    const { status } = await written.wm(`webhook log ${words}`, { world });
    assert.equal(status, isFollowing ? 130 : 0);
    return { lengths, text };
  };
  const numbers = Array.from({ length: deliveries }, (_, at) => at + 1);
  const inParts = ({ lengths }: { readonly lengths: readonly number[] }) =>
    assert.ok(Math.max(...lengths) < (deliveries / 2) * longest && lengths.length >= 4, String(lengths));

  const lines = await print('');
  inParts(lines);
  assert.deepEqual(firstCells(lines.text).map(Number), numbers);
  const json = await print('--json');
  inParts(json);
  const parsed: readonly { readonly sequence: number }[] = JSON.parse(json.text);
  assert.deepEqual(
    parsed.map(({ sequence }) => sequence),
    numbers,
  );
  assert.equal(json.text, `${JSON.stringify(parsed)}\n`);

  const followed = await print('--json --follow');
  inParts(followed);
  assert.deepEqual(
    objectsIn(followed.text).map(({ sequence }) => sequence),
    numbers,
  );

  const left = await print('', 1);
  assert.equal(left.lengths.length, 1);
});

test('the last 130,000 deliveries are listed before following', async (context) => {
  const { wm, open } = await writtenJournal(context);
  const journal = await open();
  const count = 130_000;
  const delivery = received('TaskCreated', 'A1');
  for (let at = 0; at < count; at += 1_000)
    await Promise.all(Array.from({ length: 1_000 }, () => journal.append(delivery)));
  await journal.close();
  const typed = `webhook log --follow --last ${count}`;
  const { status, output, errors } = await wm(typed, { world: followingOnce() });
  assert.equal(status, 130, errors);
  assert.equal(firstCells(output).length, count);
});
