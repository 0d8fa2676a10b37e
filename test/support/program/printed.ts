// A command that the program printed, as the shell would take it apart: a test runs it, since a hint that is a command
// must work as it is printed.

import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { commands } from '#app/commands.ts';
import { parse } from '#app/parser.ts';
import { rejectRepeatedFlags } from '#cli/parse-values.ts';
import { parseJsonIfValid } from '#contract/json.ts';
import { Failure } from '#failure.ts';
import type { World } from '#world/world.ts';
import { powershellWords } from '../process/powershell.ts';

/** The words after `wm` of the command that stands behind `before` in a text, up to the end of the line. */
export function printedCommand(text: string, before: string): string[] {
  const start = text.indexOf(`${before}wm `);
  assert.notEqual(start, -1, `there is no command behind ${JSON.stringify(before)} in:\n${text}`);
  const [line = ''] = text.slice(start + before.length).split('\n');
  return wordsOf(line).slice(1);
}

/** A command line as a POSIX shell would take it apart: with single quotes and backslashes, and nothing else. */
export function wordsOf(line: string): string[] {
  const words = line.matchAll(/(?:\\.|'[^']*'|[^\s'\\])+/g);
  return [...words].map(([word]) =>
    word.replaceAll(/\\(.)|'([^']*)'/g, (_, escaped, quoted) => escaped ?? quoted),
  );
}

const firstWords = new Set(commands.map(({ words }) => words.split(' ')[0]));

/** The commands in messages: behind a colon or a backtick, up to what is no part of them. */
export function printedCommands(text: string): readonly string[] {
  const found = text.split('\n').flatMap((line) => {
    const [, quoted, open] = /`(wm [^`]+)`|: (wm .*)/.exec(line) ?? [];
    const [command = ''] = (quoted ?? open ?? '').split(/\.(?: [A-Z].*)?$|, or | [<>]+ | \(/);
    return command.split(/ \| |; /).filter((one) => one.startsWith('wm '));
  });
  // What else begins with the name is a sentence.
  return found.filter((one) => firstWords.has(one.split(' ')[1]));
}

/** A command that is printed anywhere has the words and the flags of one that there is, each flag as often as it may be given. */
export async function assertParsed(command: string, platform: NodeJS.Platform): Promise<void> {
  const words = platform === 'win32' ? powershellWords(command) : wordsOf(command);
  const output = { isTerminal: false, columns: undefined, write: async () => {}, raw: new PassThrough() };
  const world = { process: { platform }, environment: {}, streams: { output, errors: output } };
  try {
    // The parser uses no more of it.
    const parsed = await parse(words.slice(1), world as unknown as World);
    if (parsed) rejectRepeatedFlags(parsed.command.flags, parsed.flags);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // In a sentence, a command may lack its arguments, or other words may follow it.
    if (/^(?:Missing|Too many arguments)\b/.test(error.message)) return;
    assert.fail(`printed: ${command}\n${error.sentence}`);
  }
}

/** All that a run printed on standard error. */
export async function assertPrintedCommands(errors: string, platform: NodeJS.Platform): Promise<void> {
  for (const line of errors.split('\n'))
    for (const command of textsIn(parseJsonIfValid(line) ?? line).flatMap(printedCommands))
      await assertParsed(command, platform);
}

/** Of a line of JSON, the text of each member; `next` is a command as it stands. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    textsIn(name === 'next' && typeof member === 'string' ? `: ${member}` : member),
  );
}
