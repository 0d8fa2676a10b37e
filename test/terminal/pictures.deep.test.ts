// The pictures in README are what the demo and the picker show now; `npm run pictures` draws them again. What differs from run
// to run (ids, times, a signature) is replaced by text of the same length.

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, openTerminal, plain, skip } from '#test/support/terminal/terminal.ts';
import { withTeams } from './picker/webhooks.ts';
import { drawPicture } from './picture.ts';

const columns = 96;

function normalize(raw: string): string {
  const ids = [...new Set(raw.match(/IEAAAAAQW[A-Za-z0-9]{11}/g) ?? [])];
  return raw
    .replaceAll(/IEAAAAAQW[A-Za-z0-9]{11}/g, (id) => `IEAAAAAQWAAAAAAB5H${10 + ids.indexOf(id)}`)
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '2026-12-01T09:00:00Z')
    .replaceAll(/(Signature: )[0-9a-f]{64}/g, (_, name) => `${name}${'5f3a9c1e'.repeat(8)}`)
    .replaceAll(/\b(?:now|\d+ (?:second|minute)s? ago)(?=, by wm)/g, 'now')
    .replaceAll(/^ *\S+ has not responded yet\.[\s\S]*?--timeout\)\.\r?\n/gm, '');
}

async function compare(name: string, title: string, raw: string): Promise<void> {
  const picture = await drawPicture(normalize(raw), { title, columns });
  const path = `docs/pictures/${name}.svg`;
  if (process.env['WRITE_FILES']) {
    await mkdir('docs/pictures', { recursive: true });
    await writeFile(path, picture);
  }
  assert.equal(await readFile(path, 'utf8'), picture, 'Run: npm run pictures');
}

test('the demo: docs/pictures/demo.svg', { skip }, async (context) => {
  const stage = await setStage(context, { signedOut: true });
  const terminal = openTerminal(context, stage, 'wm demo', { columns });
  assert.equal(await terminal.ended, 0, terminal.text);
  const steps = /^4\. [\s\S]*?(?=\r?\n6\. )/m.exec(terminal.raw)?.[0] ?? '';
  assert.match(plain(steps), /Delivered: TaskStatusChanged[\s\S]*Suspended/);
  await compare('demo', 'wm demo: a task changes, its delivery arrives, and the webhook is suspended', steps);
});

test('the picker: docs/pictures/picker.svg', { skip }, async (context) => {
  const { stage } = await withTeams(context, 14);
  const terminal = openTerminal(context, stage, 'wm webhook suspend', { columns, rows: 16 });
  await terminal.screenShows('14 of 14', 'team1');
  await terminal.screenShows('6 of 14', key.down);
  await terminal.screenShows((lines) => lines.some((line) => /^(?:>|❯).*team10/.test(line)));
  const { raw } = terminal;
  await compare('picker', 'wm webhook suspend: the picker, after typing team1', raw);
  terminal.type(key.interrupt);
  assert.equal(await terminal.ended, 130);
});

test('a picture contains every character, its colour, and the text for screen readers', async () => {
  const raw = 'plain \x1b[32mgreen\x1b[39m <&> \x1b[1;7mboth\x1b[0m 日本\r\n\x1b[2mdim\x1b[22m';
  const picture = await drawPicture(raw, { title: 'a <title>', columns: 40 });
  assert.match(picture, /<title id="title">a &lt;title&gt;<\/title>/);
  assert.match(picture, /<desc id="text">plain green &lt;&amp;&gt; both 日本\ndim<\/desc>/);
  assert.match(picture, /<text [^>]*textLength="42" fill="#56d364">green<\/text>/);
  assert.match(
    picture,
    /<rect [^>]*fill="#e6edf3"\/>\n<text [^>]*fill="#0d1117" font-weight="bold">both<\/text>/,
  );
  assert.match(picture, /<text [^>]*textLength="33\.6">日本<\/text>/);
  assert.match(picture, /fill="#9198a1">dim<\/text>/);
});
