// No flag without a test: each is typed somewhere in test/, as --flag, --no-flag or by its letter.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { describeProgram } from '#app/reference/describe-program.ts';

const tests = (await readdir('test', { recursive: true })).filter(
  // The recipes type what they make up.
  (file) => /\.(?:ts|txt)$/.test(file) && !/node_modules|^recipes/.test(file),
);
const texts = await Promise.all(tests.map((file) => readFile(`test/${file}`, 'utf8')));
const argv = new Set(texts.flatMap((text) => text.match(/(?<![\w-])--?[a-zA-Z][\w-]*/g) ?? []));

test('every flag of every command is typed in a test', async () => {
  const { commands } = await describeProgram();
  const untyped = commands.flatMap(({ command, flags }) =>
    flags
      .filter(({ flag, usage }) => {
        const letter = /^-\w(?=, )/.exec(usage)?.[0];
        const forms = [flag, flag.replace('--', '--no-'), ...(letter === undefined ? [] : [letter])];
        return !forms.some((form) => argv.has(form));
      })
      .map(({ flag }) => `${command} ${flag}`),
  );
  assert.deepEqual(untyped, []);
});
