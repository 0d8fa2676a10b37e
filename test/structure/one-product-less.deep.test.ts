// The receiver and the emulator are products of their own: without the folder of either, its commands and the few places named
// here, the rest still compiles.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { ownFolder } from '#test/support/disk/own-folder.ts';

interface Product {
  readonly folder: string;
  /** What programs import of it, the demo, and what else is about it alone. */
  readonly files: readonly string[];
  /** The lines of a file that have this text go too. */
  readonly lines: readonly (readonly [file: string, text: string])[];
}

const products: readonly Product[] = [
  {
    folder: 'receiver',
    files: [
      'app/demo.ts',
      'library/webhooks.ts',
      'library/check-request.ts',
      'library/create-receiver.ts',
      'tools/checks/receiver-journal.ts',
    ],
    lines: [['tools/doctor.ts', 'deliveriesCheck']],
  },
  {
    folder: 'emulator',
    files: [
      'app/demo.ts',
      'library/emulator.ts',
      'library/emulator-handle.ts',
      'library/emulator-parts.ts',
      'library/start-emulator.ts',
    ],
    lines: [['app/commands.ts', 'import type { controlCommands }']],
  },
];

for (const { folder, files, lines } of products)
  test(`the rest compiles without the ${folder}`, async (context) => {
    const copy = await ownFolder(context);
    await cp('src', join(copy, 'src'), { recursive: true });
    for (const file of ['package.json', 'tsconfig.json']) await cp(file, join(copy, file));
    await symlink(resolve('node_modules'), join(copy, 'node_modules'));
    const edit = async (file: string, change: (text: string) => string) => {
      const path = join(copy, 'src', file);
      const text = await readFile(path, 'utf8');
      const changed = change(text);
      assert.notEqual(changed, text, file);
      await writeFile(path, changed);
    };

    await rm(join(copy, 'src', folder), { recursive: true });
    for (const file of files) await rm(join(copy, 'src', file));
    for (const [file, text] of lines)
      await edit(file, (all) =>
        all
          .split('\n')
          .filter((line) => !line.includes(text))
          .join('\n'),
      );
    await edit('app/commands.ts', (table) =>
      table.replace(/^( {4,6})(?:row\(|[\w'-]+: \[)(?:.+|\n(?:\1 {2}.*\n)+\1[)\]]),\n/gm, (row) => {
        const imported = /import\('(?:\.\/demo|#(\w+)\/)/.exec(row);
        const isControl = folder === 'emulator' && row.includes("control('");
        return isControl || (imported && (imported[1] === undefined || imported[1] === folder)) ? '' : row;
      }),
    );
    // What loads the rows of the emulator's control commands.
    if (folder === 'emulator')
      await edit('app/commands.ts', (table) => table.replace(/^const control = .*\n.*\n\}\);\n/m, ''));
    const { status, stdout } = spawnSync(process.execPath, [tsc, '--noEmit'], {
      cwd: copy,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout);
  });

const tsc = resolve('node_modules/typescript/bin/tsc');
