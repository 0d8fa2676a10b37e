// The recipes in src/README.md name the places that `npm run recipes` changes, in that order, and no others.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileOf, followStep, recipes } from '#test/recipes/recipes.ts';

const [, section = ''] = (await readFile('src/README.md', 'utf8')).split('\n## Recipes\n');
/** By the words in bold: the text of the recipe. */
const texts = new Map(
  section
    .split(/^- (?=\*\*)/m)
    .slice(1)
    .map((item) => {
      const [, name = '', text = ''] = /^\*\*(.*?)\*\*:([\s\S]*)$/.exec(item) ?? [];
      return [name, text.replace(/\s+/g, ' ')] as const;
    }),
);

for (const { name, steps } of recipes)
  test(`${name}: src/README.md names every step`, () => {
    const named = texts.get(name)?.match(/(?:[\w-]+\/)+(?:[\w.-]+\.(?:ts|md))?|[\w-]+\.(?:ts|md)/g);
    // Two rows of one file are one place.
    assert.deepEqual(named, [...new Set(steps.map(({ place }) => place))]);
  });

test('every recipe in src/README.md is tested', () => {
  assert.deepEqual(
    [...texts.keys()],
    recipes.map(({ name }) => name),
  );
});

test('the location of every step is in the source', async () => {
  const texts = new Map<string, string>();
  for (const step of recipes.flatMap(({ steps }) => steps)) {
    const file = fileOf(step);
    texts.set(file, followStep(texts.get(file) ?? (await readFile(file, 'utf8').catch(() => '')), step));
  }
});
