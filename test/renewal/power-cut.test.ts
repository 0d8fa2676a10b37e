// A refresh whose power is cut once, at any step of it. power-cut.deep.test.ts cuts it a second time as well.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstItem, makeDisk, powerUntil, smallStoreOn } from './disk.ts';
import { cutsPower } from './power-cuts.ts';

cutsPower(false);

test('small items: reads back what was written, however often it is replaced, and removes everything', async () => {
  const items = new Map<string, string>();
  const store = smallStoreOn(makeDisk(), items)(powerUntil(undefined));
  for (const [turn, length] of [20, 3000, 1500, 6000, 700, 20, 1500].entries()) {
    const item = { ...firstItem(length), generation: turn + 1, clientId: '😀'.repeat(length) };
    await store.write('default', item);
    assert.deepEqual(await store.read('default'), item);
    assert.ok([...items.values()].every((text) => text.length <= 1280));
  }
  assert.equal(await store.remove('default'), true);
  assert.deepEqual([...items.keys()], []);
  assert.equal(await store.remove('default'), false);
});

test('small items: a missing or foreign part is reported, and not taken for a sign-in', async () => {
  for (const spoil of [
    (items: Map<string, string>) => items.delete('default#1.1'),
    (items: Map<string, string>) => items.set('default#1.1', 'other'),
  ]) {
    const items = new Map<string, string>();
    const store = smallStoreOn(makeDisk(), items)(powerUntil(undefined));
    await store.write('default', firstItem(1500));
    spoil(items);
    await assert.rejects(store.read('default'), /Cannot read the tokens in /);
  }
});
