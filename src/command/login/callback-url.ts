// How the callback URL gets here without a callback server: the user pastes it at a prompt, or a program writes it into
// a pipe.

import { type Failure, usageError } from '../../failure.ts';
import type { Context } from '../context.ts';
import { readCallbackUrlLine } from './callback-url-input.ts';

export interface CallbackUrlPrompt {
  readonly question: string;
  readonly check: (text: string) => true | string;
  readonly signal: AbortSignal;
}

/** True where a landing URL can come from standard input, by a prompt or by a pipe. */
export function canReadCallbackUrl({ canPrompt, world }: Context): boolean {
  return canPrompt || !world.streams.input.isTerminal;
}

export function cannotReadCallbackUrl(context: Context, hint: string): Failure {
  return usageError(
    'You must paste the address you land on',
    hint,
    `cannot prompt: ${context.whyCannotPrompt}`,
  );
}

/**
 * Prompts for the landing URL, or reads it from a pipe; nothing where the pipe ended without it. Rejects when the signal
 * ends a prompt.
 */
export async function readCallbackUrl(
  context: Context,
  { question, check: validate, signal }: CallbackUrlPrompt,
): Promise<string | undefined> {
  if (context.canPrompt)
    return context.prompt('the address', (prompt) => prompt.text(question, { validate, signal }));
  let reported = 0;
  const read = await readCallbackUrlLine(context.world, {
    check: validate,
    signal,
    onInvalid(lineNumber, why) {
      reported += 1;
      if (reported <= maxReported) void context.report.warn(`Line ${lineNumber} of standard input: ${why}`);
      if (reported === maxReported) void context.report.warn('Further invalid lines are not reported.');
    },
  });
  if ('line' in read) return read.line;
  if (read.ended !== undefined) await context.report.warn(`Cannot read standard input: ${read.ended}`);
  return undefined;
}

const maxReported = 5;

/** Standard input ended without the landing URL, and nothing else could bring it. `line`: the command, as an example. */
export function endedWithoutCallbackUrl(line: string): Failure {
  return usageError(
    'Standard input ended without the address you landed on',
    `Give it as one line: echo 'https://...?code=...&state=...' | ${line}`,
  );
}
