// Titles and ids from strangers, in real shells: TAB shows titles and runs nothing of them, and inserts only plain ids.

import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '#test/support/any-character.ts';
import { type Stage, setStage } from '#test/support/terminal/stage.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { isReady, isTyped, openShell, testedShells, whyWithout } from './interactive-shell.ts';

const touch = 'touch hacked';
const nasty = [
  `$(${touch})`,
  `\`${touch}\``,
  `'; ${touch}; '`,
  `"; ${touch}; "`,
  `) ; ${touch} ; (`,
  `(${touch})`,
  `\${(e):-$(${touch})}`,
  `%{$(${touch})%} %F{red}`,
  `$'\\x24(${touch})'`,
  `&& ${touch}`,
  `| ${touch}`,
  `>hacked`,
  `\x1b]0;title\x07\x1b[2J\x9b31m`,
  `\u202etxet desrever`,
  `\\`,
  `'`,
  `"`,
  `-- --help`,
  `*`,
  `~root`,
  `!!`,
  `日本語のタイトル`,
  `a:b=c,d`,
];

/** As a file that another program damaged may have them: titles that were never sanitised, and ids that no shell takes as they are. */
async function plant(stage: Stage, titles: readonly string[]): Promise<void> {
  const folder = join(stage.folder, 'config', 'state', 'completion');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const ids = [`$(${touch})`, `\`touch\${IFS}hacked\``, '>hacked', '-x'];
  const lines = [
    ...ids.map((id) => `task\t${id}\tAn id`),
    ...titles.map((title, at) => `task\tT${100 + at}\t${title.replace(/[\t\n]/g, ' ')}`),
    'task\tLAST\tThe last title of all',
    'task\tONE1\tSame: first',
    'task\tONE2\tSame: second',
  ];
  const host = stage.emulator.host.replace(':', '_');
  await writeFile(join(folder, `@${host}.tsv`), `${lines.join('\n')}\n`);
}

for (const shell of testedShells) {
  test(`${shell}: shows hostile titles and never runs them`, { skip: whyWithout(shell) }, async (context) => {
    const stage = await setStage(context);
    const random = fc.sample(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 40 }), 25);
    const mixed = fc.sample(
      fc.array(
        fc.constantFrom('$', '(', ')', '`', "'", '"', '\\', ';', ' ', touch, '\n', '%', '!', '{', '}'),
        { minLength: 3, maxLength: 12 },
      ),
      25,
    );
    const titles = [...nasty, ...random, ...mixed.map((parts) => parts.join(''))];
    context.diagnostic(JSON.stringify(titles));
    await plant(stage, titles);
    const terminal = await openShell(context, stage, shell, { columns: 100, rows: 140 });
    const clear = async () => {
      terminal.type('\x15\x0c');
      await terminal.screenShows(
        (lines) => isReady(lines) && lines.filter((line) => line !== '').length === 1,
      );
    };
    // All in one list.
    terminal.type(`wm task get ${key.tab}${key.tab}`);
    await terminal.screenShows('The last title of all');
    assert.doesNotMatch(terminal.text, /An id/);
    await clear();
    // Each alone, in quotes too.
    for (const at of nasty.keys()) {
      const quote = ['', '"', "'"][at % 3] ?? '';
      // The space after it is the shell's: it has finished.
      terminal.type(`wm task get ${quote}T${100 + at}${key.tab}x`);
      await terminal.screenShows(isTyped(`wm task get ${quote}T${100 + at}${quote} x`));
      await clear();
    }
    if (shell !== 'fish') {
      // By a part of its title: one becomes the id, several stay as they were typed until one is chosen.
      terminal.type(`wm task get last${key.tab}`);
      await terminal.screenShows(isTyped('wm task get LAST'));
      await clear();
      terminal.type(`wm task get "title of${key.tab}`);
      await terminal.screenShows(isTyped('wm task get "LAST"'));
      await clear();
      terminal.type(`wm task get same${key.tab}${key.tab}`);
      await terminal.screenShows('Same: second');
      await clear();
    }
    assert.ok(!(await readdir(stage.folder)).includes('hacked'));
  });
}
