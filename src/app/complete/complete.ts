// The hidden command that shell scripts call at each TAB: prints the completions of the unfinished word. Reads only a few small
// files, and prints nothing if it fails: a message would appear in the middle of the user's line.

import type { World } from '#world/world.ts';
import { type Completion, findCandidates } from './candidates.ts';
import { createValueSource } from './known-values.ts';
import { formatForBash, formatForFish, formatForPowerShell, formatForZsh } from './replies.ts';
import { splitLine } from './split-line.ts';

/** Takes the shell, then the arguments from its script. Returns the exit status; never throws. */
export async function complete([shell, ...rest]: readonly string[], world: World): Promise<number> {
  try {
    const find = (before: readonly string[], word: string): Promise<Completion> =>
      findCandidates(before, word, createValueSource(world));
    const reply = await formatReply(shell, rest, find);
    if (reply === undefined) return 2;
    await world.streams.output.write(reply);
    return 0;
  } catch {
    return 1;
  }
}

type Find = (before: readonly string[], word: string) => Promise<Completion>;

async function formatReply(
  shell: string | undefined,
  rest: readonly string[],
  find: Find,
): Promise<string | undefined> {
  if (shell === 'bash') {
    const [line = '', replaced = '', type = '9', columns = ''] = rest;
    const { before, word } = splitLine(line);
    return formatForBash(await find(before.slice(1), word), {
      line,
      replaced,
      type,
      columns: toColumns(columns),
    });
  }
  if (shell === 'zsh') {
    const [columns = '', _name, ...words] = rest;
    const word = words.at(-1) ?? '';
    return formatForZsh(await find(words.slice(0, -1), word), word, toColumns(columns));
  }
  if (shell === 'fish') {
    const [raw = '', _name, ...before] = rest;
    return formatForFish(await find(before, splitLine(raw).word));
  }
  if (shell === 'powershell') {
    const words = decodeWords(rest[0] ?? '');
    return formatForPowerShell(await find(words.slice(1, -1), words.at(-1) ?? ''));
  }
  return undefined;
}

function toColumns(text: string): number {
  const columns = Number(text);
  return columns > 0 ? columns : 80;
}

/** PowerShell passes base64 of UTF-8 lines, since its versions treat quotes in arguments differently. */
function decodeWords(base64: string): readonly string[] {
  return Buffer.from(base64, 'base64').toString('utf8').split('\n');
}
