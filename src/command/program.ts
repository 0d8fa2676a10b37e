// Runs what was typed: finds the command, gives it its values and its context, and turns whatever went wrong into a
// message and an exit status.

import { Refused } from '../contract/value.ts';
import { asFailure, Failure, usage } from '../failure.ts';
import type { World } from '../world/world.ts';
import type { Command } from './command.ts';
import { type Context, createContext } from './context.ts';
import { commonFlags } from './flags.ts';
import { parse, ShownHelp, WrongUsage } from './parser.ts';
import { arrange, parseArguments, parseFlags, readFiles } from './typed.ts';

/** Takes what was typed (without `node` and the script) and gives the exit status. Never throws. */
export async function runProgram(typed: readonly string[], world: World): Promise<number> {
  // Until the flags are understood, what matters for a message is read off the words.
  let context = createContext(world, {
    json: typed.includes('--json'),
    color: !typed.includes('--no-color'),
  });
  try {
    if (typed.length === 0) {
      await (await import('./home.ts')).home(createContext(world, {}));
      return 0;
    }
    const { command, operands, flags } = await parse(arrange(typed), world);
    context = createContext(world, parseFlags(commonFlags, flags));
    const input = {
      arguments: parseArguments(command.arguments, operands),
      flags: parseFlags(command.flags, await readFiles(world, command.flags, flags)),
    };
    return (await untilInterrupted(command, context, command.run(input, context))) ?? 0;
  } catch (thrown) {
    if (thrown instanceof ShownHelp) return 0;
    const failure = failureOf(thrown);
    await context.report.failure(failure);
    if (failure.code === 'internal' && world.environment['WM_DEBUG'])
      await context.report.warn(stackOf(failure));
    return failure.exitStatus;
  }
}

/** Ctrl-C ends a command at once, and says whether something may have been changed. */
async function untilInterrupted<T>(command: Command, context: Context, running: Promise<T>): Promise<T> {
  if (command.endsOnInterrupt) return running;
  let ignore = () => {};
  const interrupted = new Promise<never>((_, reject) => {
    ignore = context.world.process.onInterrupt(() => {
      const change = context.pendingChange();
      reject(
        new Failure('interrupted', {
          what: 'Interrupted',
          why:
            change === undefined
              ? 'nothing was being changed'
              : `${change} had been sent; whether it was done is not known`,
        }),
      );
    });
  });
  try {
    return await Promise.race([running, interrupted]);
  } finally {
    ignore();
  }
}

function failureOf(thrown: unknown): Failure {
  if (thrown instanceof WrongUsage) return usage(thrown.message, thrown.hint);
  if (thrown instanceof Refused) return usage(thrown.message);
  return asFailure(thrown);
}

function stackOf(failure: Failure): string {
  return failure.cause instanceof Error ? (failure.cause.stack ?? failure.message) : failure.message;
}
