// The rules for the words of help that can be tested, over the table of commands: CONTRIBUTING.md, "Words".

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commands, groups } from '#app/commands.ts';
import { commonFlags } from '#cli/flags/common-flags.ts';
import type { Flag } from '#cli/flags/flag.ts';
import { verbs } from '../../scripts/commit-verbs.mjs';

/** The kinds of value: one upper-case word, or a form such as KEY=VALUE; a list ends in `,...`. */
const placeholder = /^[A-Z]+(?:-[A-Z]+)*(?:[=:/](?:[A-Z]+|min))*(?:,\.\.\.)?$/;

function checkText(text: string, where: string): void {
  assert.match(text, /^[A-Z0-9]/, `${where}: begins with a capital`);
  assert.doesNotMatch(text, /\.$/, `${where}: no full stop`);
  assert.doesNotMatch(text, /’/, `${where}: a straight apostrophe`);
  assert.doesNotMatch(text, /\b(?:nobody|somebody(?! else)|is told|of its own|refused|answers?)\b/i, where);
}

function checkFlag(flag: Flag<unknown>, where: string): void {
  checkText(flag.help, where);
  assert.doesNotMatch(flag.help, /without it$| \(\d+[a-z]*\)$/, `${where}: a default is (default: X)`);
  if (flag.placeholder !== undefined) assert.match(flag.placeholder, placeholder, where);
}

test('summaries start with a verb and have no full stop', () => {
  const rows = [...commands, ...groups.map(({ word, summary }) => ({ words: word, summary }))];
  for (const { words, summary } of rows) {
    checkText(summary, words);
    const [first = ''] = summary.split(/[ ,]/, 1);
    assert.ok(verbs.has(first.toLowerCase()), `${words}: ${first} is not in scripts/commit-verbs.mjs`);
  }
});

for (const { words, load } of commands) {
  test(`wm ${words}: placeholders, defaults and examples follow the rules`, async () => {
    const { default: command } = await load();
    for (const [name, flag] of Object.entries({ ...commonFlags, ...command.flags }))
      checkFlag(flag, `wm ${words} --${name}`);
    const descriptions = Object.keys(command.examples);
    assert.ok(descriptions.length > 0);
    for (const description of descriptions) checkText(description, `wm ${words}: ${description}`);
    for (const { help } of Object.values(command.arguments)) assert.match(help, /^[a-z]/, help);
  });
}

test('the placeholder of a flag that takes a list ends in ,...', async () => {
  for (const { words, load } of commands) {
    const { default: command } = await load();
    for (const [name, flag] of Object.entries<Flag<unknown>>(command.flags)) {
      const takesList = flag.repeats === true && !/[=:]VALUE/.test(flag.placeholder ?? '');
      if (takesList) assert.ok(flag.placeholder?.endsWith(',...'), `wm ${words} --${name}`);
    }
  }
});
