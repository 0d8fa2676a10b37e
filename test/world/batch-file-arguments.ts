// Random arguments of a batch file of Windows, through a model of cmd.exe.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { throughBatchFile } from '#test/support/process/cmd-exe.ts';
import { resolveWindowsCommand } from '#world/windows-command.ts';

export function testBatchFileArguments(numRuns: number): void {
  test('Windows: a batch file passes on exactly its arguments, whatever they are', () => {
    const script = 'C:\\100% mine & yours\\npx.CMD';
    const environment = { PATH: 'C:\\100% mine & yours', PATHEXT: '.CMD', ComSpec: 'C:\\cmd.exe' };
    const shell = {
      variables: { PATH: 'C:\\secret', 'PATH^^^': 'x', A: '" & calc & "' },
      currentFolder: 'C:\\here',
    };
    // fast-check's own unit `binary` takes a second to begin.
    const unit = fc.nat({ max: 0x10ffff }).map((point) => String.fromCodePoint(point));
    const piece = fc.oneof(
      fc.constantFrom(
        '"',
        '\\',
        '%',
        '^',
        '&',
        '|',
        '<',
        '>',
        '(',
        ')',
        '!',
        ' ',
        '\t',
        '=',
        ',',
        ';',
        ':',
        '~',
        "'",
        '`',
      ),
      fc.constantFrom(
        '%PATH%',
        '%PATH:s=x%',
        '%PATH:~0,3%',
        '%A%',
        '%cd%',
        '%*',
        '%1',
        '%%',
        '" & calc "',
        '/c',
      ),
      fc.string({ maxLength: 3, unit }).filter((text) => !/[\r\n\0]/.test(text)),
    );
    const argument = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.array(argument, { maxLength: 4 }), (rest) => {
        const command = resolveWindowsCommand('npx', rest, environment, (path) => path === script);
        assert.equal(command.verbatim, true);
        assert.deepEqual(throughBatchFile(command.args, shell), { script, rest });
      }),
      { numRuns },
    );
  });
}
