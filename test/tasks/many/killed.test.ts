// A scratch file leaves nothing behind. killed.deep.test.ts kills a bulk that has one.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFiles } from '#world/files.ts';

for (const platform of [process.platform, 'win32'] as const) {
  test(`a scratch file (${platform}): can be read as often as needed, and is gone afterwards`, async (context) => {
    const temporary = await mkdtemp(join(tmpdir(), 'wm-scratch-'));
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = temporary;
    context.after(async () => {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
      await rm(temporary, { recursive: true });
    });
    const scratch = await createFiles({}, platform).openScratchFile();
    const all = async () => {
      const pieces: Uint8Array[] = [];
      for await (const piece of scratch.stream()) pieces.push(piece);
      return Buffer.concat(pieces).toString();
    };
    assert.equal(await all(), '');
    const text = 'abcdefghij'.repeat(20_000);
    scratch.write(Buffer.from(text));
    assert.equal(await all(), text);
    scratch.write(Buffer.from('end'));
    assert.equal(await all(), `${text}end`);
    assert.equal(await all(), `${text}end`);
    if (platform !== 'win32') assert.deepEqual(await readdir(temporary), []);
    await scratch.close();
    await scratch.close();
    assert.deepEqual(await readdir(temporary), []);
  });
}
