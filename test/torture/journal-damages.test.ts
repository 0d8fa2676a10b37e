// npm run torture: 200 random damages to a journal while it is written, by another program. Whatever is acknowledged after a damage is
// found; whatever was acknowledged before, and is gone, is named by `wm webhook log`. TEST_SEED repeats what an earlier run has printed.

import assert from 'node:assert/strict';
import { copyFile, link, open, readdir, rename, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { received, writtenJournal } from '#test/receiver/archive/deliveries/written-journal.ts';
import { createRandom } from '#test/support/random.ts';

const seed = Number(process.env['TEST_SEED'] ?? 1);

type Damage = (path: string, random: () => number) => Promise<void>;
const damages: Readonly<Record<string, Damage>> = {
  moved: (path) => rename(path, `${path}.moved`),
  removed: (path) => rm(path),
  'linked and removed': async (path) => {
    await link(path, `${path}.linked`);
    await rm(path);
  },
  'replaced by a copy': async (path) => {
    await copyFile(path, `${path}.copy`);
    await rename(`${path}.copy`, path);
  },
  emptied: (path) => truncate(path, 0),
  cut: async (path, random) => truncate(path, Math.floor(random() * (await stat(path)).size)),
  overwritten: async (path, random) => {
    const file = await open(path, 'r+');
    const { size } = await file.stat();
    if (size > 0) await file.write(Buffer.alloc(8, 0x58), 0, 8, Math.floor(random() * Math.max(1, size - 8)));
    await file.close();
  },
};

test(`200 corruptions of a journal during writes, TEST_SEED=${seed}`, async (context) => {
  const random = createRandom(seed).next;
  const { wm, open: openJournal, folder } = await writtenJournal(context);
  const journal = await openJournal({ segmentBytes: 8_192 });
  const acknowledged = new Set<number>();
  const warned: (readonly [from: number, to: number])[] = [];
  const counts = { damages: 0, acknowledged: 0, rejected: 0, lost: 0 };
  const append = async (): Promise<number | undefined> => {
    try {
      const { sequence } = await journal.append(received('TaskCreated', `A${counts.acknowledged}`));
      acknowledged.add(sequence);
      counts.acknowledged++;
      return sequence;
    } catch (error) {
      counts.rejected++;
      // A listener prints it.
      const [, from, to = from] =
        /#(\d+)(?: to #(\d+))?, which w(?:as|ere) stored in it, may be lost/.exec(String(error)) ?? [];
      if (from !== undefined) warned.push([Number(from), Number(to)]);
      return undefined;
    }
  };
  const names = Object.keys(damages);
  for (; counts.damages < 200; counts.damages++) {
    for (let left = Math.floor(random() * 12); left > 0; left--) await append();
    const files = (await readdir(folder)).filter((name) => name.endsWith('.journal')).toSorted();
    // Mostly the one that is being written.
    const file = random() < 0.6 ? files.at(-1) : files[Math.floor(random() * files.length)];
    const name = names[Math.floor(random() * names.length)] ?? '';
    if (file !== undefined) await damages[name]?.(join(folder, file), random);
    const after: number[] = [];
    for (let left = 1 + Math.floor(random() * 4); left > 0; left--) {
      const sequence = await append();
      if (sequence !== undefined) after.push(sequence);
    }
    // Reading all of it each time would take minutes.
    const isWhole = counts.damages % 10 === 9;
    const { output, errors } = await wm(['webhook', 'log', '--last', isWhole ? '100000' : '30', '--json']);
    const listed: readonly { sequence: number }[] = JSON.parse(output);
    const found = new Set(listed.map(({ sequence }) => sequence));
    const what = `damage ${counts.damages}: ${name} ${file}\n${errors}`;
    for (const sequence of after) assert.ok(found.has(sequence), `#${sequence} is missing after ${what}`);
    if (!isWhole) continue;
    const named = [...errors.matchAll(/#(\d+)(?: to #(\d+))? (?:is|are) missing/g)].map(
      ([, from, to = from]) => [Number(from), Number(to)] as const,
    );
    const emptied = [...errors.matchAll(/its deliveries, from #(\d+) on, are lost/g)].map(([, from]) =>
      Number(from),
    );
    for (const sequence of acknowledged) {
      if (found.has(sequence)) continue;
      const isNamed =
        [...warned, ...named].some(([from, to]) => from <= sequence && sequence <= to) ||
        emptied.some((from) => sequence >= from);
      assert.ok(isNamed, `#${sequence} is gone, and not named, after ${what}`);
    }
    counts.lost = [...acknowledged].filter((one) => !found.has(one)).length;
  }
  process.stderr.write(`damages to a journal: ${JSON.stringify({ seed, ...counts })}\n`);
  await journal.close();
});
