// A word of a printed command is what it was, once a shell has read it: the real sh, and bash, zsh and fish where they
// are; for Windows, the rules of PowerShell and cmd.exe as the tests state them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { quoteForShell, setVariables, withStandardInput, withVariables } from '#cli/shell-quote.ts';
import { anyCharacter } from '#test/support/any-character.ts';
import { argumentsOf } from '#test/support/process/cmd-exe.ts';
import { powershellWords } from '#test/support/process/powershell.ts';
import { createWorld } from '#world/create-world.ts';

const shells: readonly (readonly [string, ...string[]])[] = [
  ['sh'],
  ['bash', '--norc'],
  ['zsh', '-f'],
  ['fish', '--no-config'],
];
const words = (text: string) => text.split(' ');
const hard = [
  ...words(String.raw`=ls == ~ ~root it's ' \' \ \\ \\' C:\new\ @file %self 50% a,b {a,b} $HOME $(id)`),
  ...words('!! * ? [a] #no a#b -n --x=y a;b a&b a|b <x >x ^ " é https://a.example/?b=c&d=%20'),
  ...['', 'a b', '`id`', '\u2019', '\u201d', 'a\nb', '\t', 'C:\\my dir\\failed.csv'],
];
const texts = fc
  .oneof(fc.constantFrom(...hard), fc.string({ unit: 'grapheme' }), fc.string({ unit: anyCharacter }))
  .filter((text) => !text.includes('\0'));

/** `share`: of the words of chance. */
export function testShellWords(share: number): void {
  describe('a POSIX shell word', () => {
    for (const [shell, ...options] of shells) {
      const isHere = spawnSync(shell, [...options, '-c', 'true']).status === 0;
      test(`${shell} reads the intended words`, { skip: !isHere && `no ${shell} here` }, () => {
        const read = (words: readonly string[]) => {
          const line = `printf '%s\\0' ${words.map((word) => quoteForShell(word, 'linux')).join(' ')}`;
          const { stdout, stderr } = spawnSync(shell, [...options, '-c', line], { encoding: 'utf8' });
          assert.equal(stderr, '', line);
          return stdout.split('\0').slice(0, -1);
        };
        assert.deepEqual(read(hard), hard);
        fc.assert(
          fc.property(fc.array(texts, { minLength: 20, maxLength: 40 }), (words) => {
            assert.deepEqual(read(words), words);
          }),
          { numRuns: share * 20 },
        );
      });
    }
  });

  describe('a Windows shell word', () => {
    test('PowerShell reads the intended words', () => {
      const check = (words: readonly string[]) =>
        assert.deepEqual(powershellWords(words.map((word) => quoteForShell(word, 'win32')).join(' ')), words);
      check(hard);
      fc.assert(fc.property(fc.array(texts), check), { numRuns: share * 2000 });
    });

    test('cmd.exe reads the same words, except words that cannot be quoted for both shells', () => {
      const check = (text: string) => {
        const word = quoteForShell(text, 'win32');
        if (!word.startsWith("'")) assert.deepEqual(argumentsOf(`wm ${word} x`), ['wm', text, 'x']);
      };
      hard.forEach(check);
      fc.assert(fc.property(texts, check), { numRuns: share * 2000 });
      assert.equal(quoteForShell('C:\\my dir\\failed.csv', 'win32'), '"C:\\my dir\\failed.csv"');
      assert.equal(quoteForShell('a&b', 'win32'), '"a&b"');
    });

    test('writes variables and an input file for PowerShell', () => {
      const set = { ONE: "it's", TWO: '$x' };
      const world = (platform: NodeJS.Platform) => ({ process: { ...createWorld().process, platform } });
      assert.equal(setVariables(set, world('win32')), "$env:ONE = 'it''s'; $env:TWO = '$x'");
      assert.equal(
        withVariables(set, 'wm whoami', world('win32')),
        "$env:ONE = 'it''s'; $env:TWO = '$x'; wm whoami",
      );
      assert.equal(withStandardInput('wm login', 'token.txt', world('win32')), 'type token.txt | wm login');
      const { stdout } = spawnSync('sh', ['-c', withVariables(set, 'printenv ONE TWO', world('linux'))], {
        encoding: 'utf8',
      });
      assert.equal(stdout, "it's\n$x\n");
    });
  });
}
