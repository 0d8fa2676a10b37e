// How the landing URL gets here without a callback: a person pastes it at a prompt, or writes it into a pipe.

import { type Failure, usageError } from '../../failure.ts';
import type { Context } from '../context.ts';
import { readLandingLine } from './landing-input.ts';

export interface Asking {
  readonly question: string;
  readonly check: (text: string) => true | string;
  readonly signal: AbortSignal;
}

/** True where a landing URL can come from standard input, by a prompt or by a pipe. */
export function canBeGiven({ mayAsk, world }: Context): boolean {
  return mayAsk || !world.streams.input.isTerminal;
}

export function cannotBeGiven(context: Context, hint: string): Failure {
  return usageError('The address you land on must be pasted', hint, `cannot prompt: ${context.cannotPrompt}`);
}

/**
 * Prompts for the landing URL, or reads it from a pipe; nothing where the pipe ended without it. Rejects when the signal
 * ends a prompt.
 */
export async function landingFrom(
  context: Context,
  { question, check: validate, signal }: Asking,
): Promise<string | undefined> {
  if (context.mayAsk)
    return context.ask('the address', (prompt) => prompt.text(question, { validate, signal }));
  let reported = 0;
  const read = await readLandingLine(context.world, {
    check: validate,
    signal,
    onInvalid(lineNumber, why) {
      reported += 1;
      if (reported <= mostReported) void context.report.warn(`Line ${lineNumber} of standard input: ${why}`);
      if (reported === mostReported)
        void context.report.warn('Further lines that are wrong are not reported.');
    },
  });
  if ('line' in read) return read.line;
  if (read.ended !== undefined) await context.report.warn(`Cannot read standard input: ${read.ended}`);
  return undefined;
}

const mostReported = 5;

/** Standard input ended without the landing URL, and nothing else could bring it. `line`: the command, as an example. */
export function endedWithout(line: string): Failure {
  return usageError(
    'Standard input ended without the address you landed on',
    `Write it as one line: echo 'https://...?code=...&state=...' | ${line}`,
  );
}
