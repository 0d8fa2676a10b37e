// A long description in each way that it can be given. A shorter one is quick, and the longest is deep.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';

const id = sample.task;

/** Every one of its characters takes six or nine bytes in a URL. */
export const longText = (length: number) => 'é&+%=#\n"€x'.repeat(length / 10);

/** A description of so many characters arrives whole: from a file, through a pipe, and in a row. */
export async function giveDescription(context: TestContext, length: number): Promise<void> {
  const text = longText(length);
  const { wm, folder, task } = await emulated(context);
  const description = async () => (await task(id)).description;

  await writeFile(join(folder, 'long.txt'), text);
  const update = ['task', 'update', id, '--description'];
  const ways: readonly [string, readonly string[], string?][] = [
    ['a file', [...update, `@${join(folder, 'long.txt')}`]],
    ['a pipe', [...update, '-'], text],
    ['a row', ['task', 'update', '--from', '-', '--yes'], JSON.stringify({ id, description: text })],
  ];
  for (const [name, argv, input] of ways) {
    await wm([...update, name], { exit: 0 });
    await wm(argv, { ...(input === undefined ? {} : { input }), exit: 0 });
    const now = await description();
    assert.equal(now.length, text.length, name);
    assert.ok(now === text, `by ${name} it is another text`);
  }
}
