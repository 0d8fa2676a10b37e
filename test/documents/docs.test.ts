// Holds what the docs say about this repository: the files, headings and npm scripts that they name are there, a count of a file's
// lines is right, and the table of decisions lists every page by its title.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';

const folders = ['.ci', 'bin', 'dist', 'docs', 'scripts', 'src', 'test'];
const files = (
  await Promise.all(
    folders.map(async (folder) =>
      (await readdir(folder, { recursive: true })).map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
    ),
  )
)
  .flat()
  .filter((file) => !file.includes('/node_modules/'));
/** Not the generated pages. The maps in src/ are read by test/structure/architecture.test.ts. */
const pages = await Promise.all(
  ['README.md', 'CONTRIBUTING.md', 'AGENTS.md', ...files]
    .filter((file) => /^(?:[A-Z]+|docs\/(?:decisions\/)?(?!contract-tests)[\w-]+)\.md$/.test(file))
    .map(async (page) => ({
      page,
      isDecision: page.startsWith('docs/decisions/'),
      text: await readFile(page, 'utf8'),
    })),
);

/** A path, or the name of a file of code or text. */
const named = /(?<![\w./@:$~%{}*-])(?:(?:\.?[\w-]+\/)+(?:[\w.-]*\w)?|[\w-][\w.-]*\.(?:ts|mjs|cjs|md)\b)/g;
/** In pages for users a path may be theirs. */
const isOurs = (name: string) => /\.(?:ts|mjs|cjs|md)$|^(?:src|test|scripts|docs|\.ci)\//.test(name);
/** In a decision, what looks like a path and is none of ours. */
const others =
  /^(?:application|multipart|wm-cli)\/|^(?:completion\/PROFILE|history\/changes\.N|dd\/MM|\d+\/|NAME\.|service\.d\.ts$)/;

/** `name` may be the end of a path, and leave out the ending of the file. */
function isThere(name: string): boolean {
  const path = name.replace(/\/$/, '');
  return (
    existsSync(name) || files.some((file) => `/${file}.`.includes(`/${path}.`) || file.endsWith(`/${path}`))
  );
}

test('files and folders that the docs name exist', () => {
  const missing = pages.flatMap(({ page, isDecision, text }) =>
    [...text.matchAll(named)]
      .map(([name]) => name)
      .filter((name) => (isDecision || isOurs(name)) && !others.test(name) && !isThere(name))
      .map((name) => `${page} names ${name}`),
  );
  assert.deepEqual(missing, []);
});

test('links lead to existing pages and headings', () => {
  const anchors = (text: string) =>
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
  for (const { page, text } of pages)
    for (const [, path = '', anchor] of text.matchAll(/\]\((?!https?:|\.{3})([^)#]*)(?:#([^)]*))?\)/g)) {
      const target = path === '' ? page : new URL(path, `file:///${page}`).pathname.slice(1);
      assert.ok(existsSync(target), `${page} links to ${path}`);
      const known = anchors(pages.find((one) => one.page === target)?.text ?? '');
      assert.ok(anchor === undefined || known.includes(anchor), `${page} links to ${target}#${anchor}`);
    }
});

test('a line count next to a file name is right', async () => {
  const counted = /([\w./-]+\.(?:ts|mjs|cjs))`?[^.:;|\n]{0,40}?\b(\d[\d,]*) lines/g;
  for (const { page, text } of pages)
    for (const [, name = '', count = ''] of text.matchAll(counted)) {
      const file = files.find((one) => `/${one}`.endsWith(`/${name}`)) ?? name;
      const lines = (await readFile(file, 'utf8')).split('\n').length - 1;
      assert.equal(Number(count.replaceAll(',', '')), lines, `${page} counts the lines of ${name}`);
    }
});

test('npm scripts that the docs name are in package.json', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
  for (const { page, text } of pages)
    for (const [, name = ''] of text.matchAll(/\bnpm run ([\w:]+)/g))
      assert.ok(Object.hasOwn(scripts, name), `${page} names npm run ${name}`);
});

test('the table of decisions lists each page by title, and a page has at most 60 lines', async () => {
  const table = await readFile('docs/decisions/README.md', 'utf8');
  const rows = [...table.matchAll(/^\| \[(.+)\]\(\1\) \| (.+) \|$/gm)].map(
    ([, name, title]) => `docs/decisions/${name} # ${title}`,
  );
  const decisions = pages.filter(({ page, isDecision }) => isDecision && !page.endsWith('README.md'));
  const titles = decisions.map(({ page, text }) => `${page} ${text.split('\n', 1)}`);
  assert.deepEqual(rows.toSorted(), titles.toSorted());
  for (const { page, text } of decisions) assert.ok(text.split('\n').length <= 61, `${page} is too long`);
});
