// Plays a command of a transcript on a pseudo-terminal: waits until the screen shows what the transcript says, types what it
// says then, and compares how the screen ends.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Stage } from '#test/support/terminal/stage.ts';
import { openTerminal } from '#test/support/terminal/terminal.ts';
import { fill, type Known, matchLines } from './match.ts';
import type { Step } from './session.ts';

/** Wide enough that no line of a transcript is broken, unless it shows how lines are. */
const sizes = { wide: { columns: 160, rows: 40 }, small: { columns: 80, rows: 24 } };

const keys: Readonly<Record<string, string>> = { '⏎': '\r', '⇥': '\t', '⎋': '\x1b', '␃': '\x03' };

/** What is known afterwards. Throws for what the screen never showed. */
export async function playOnTerminal(
  context: TestContext,
  stage: Stage,
  { command, dialogue, exit }: Step,
  { type, isSmall }: { readonly type: string; readonly isSmall: boolean },
  known: Known,
): Promise<Known> {
  const terminal = openTerminal(context, stage, command, {
    ...(isSmall ? sizes.small : sizes.wide),
    environment: { TERM: type },
  });
  let learnt = known;
  for (const { shows, keys: typed } of dialogue) {
    const find = (lines: readonly string[]) => findLines(shows, lines, learnt, typed === undefined);
    const lines = await terminal
      .screenShows((screen) => find(screen) !== undefined)
      .catch((error: unknown) => {
        const why = error instanceof Error ? error.message : '';
        throw new Error(`$ ${command}\n\nexpected\n${shows.join('\n')}\n\ngot\n${why}`, { cause: error });
      });
    learnt = find(lines) ?? learnt;
    if (typed !== undefined) terminal.type(toKeys(fill(typed, learnt)));
  }
  assert.equal(await terminal.ended, exit, terminal.text);
  return learnt;
}

/** `isEnd`: nothing may stand below them. */
function findLines(
  expected: readonly string[],
  screen: readonly string[],
  known: Known,
  isEnd: boolean,
): Known | undefined {
  const lines = screen
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd()
    .split('\n');
  const wanted = isEnd ? expected : [...expected, '...'];
  for (let from = 0; from < lines.length; from++) {
    const found = matchLines(wanted, lines.slice(from), known);
    if (found) return found;
  }
  return undefined;
}

function toKeys(text: string): string {
  return [...text].map((character) => keys[character] ?? character).join('');
}
