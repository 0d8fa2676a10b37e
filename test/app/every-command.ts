// What the sweeps over all commands (every-command) share: a narrow terminal, and the setting of an invocation.

import assert from 'node:assert/strict';
import stringWidth from 'string-width';
import type { CommandRow } from '#app/commands.ts';
import { type Ran, run, type Setting } from '#test/support/program/program.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { createWorld } from '#world/create-world.ts';
import type { Environment, Interruption, World } from '#world/world.ts';
import type { Invocation } from './invocations.ts';
import { type Place, settingOf } from './place.ts';

/** A terminal of this width, as both standard output and standard error. */
export async function onTerminal(
  columns: number,
  argv: readonly string[],
  setting: { readonly environment?: Environment; readonly world?: Partial<World> } = {},
): Promise<Ran> {
  const { streams, texts } = collectStreams({ isTerminal: true, columns });
  const { status } = await run(argv, { ...setting, world: { streams, ...setting.world } });
  return { status, ...texts };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const colours = /\u001b\[[\d;]*m|\u001b\]8;[^\u0007\u001b]*(?:\u0007|\u001b\\)/g;

/** A line's end, or the beginning of a line that is drawn again. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what draws
const redrawn = /\n|\r?\u001b\[K|\r/;

/** What is copied stays whole: a command, a URL or another word that is wider than the terminal. */
export function assertNoLineIsWider(text: string, columns: number, name: string): void {
  for (const line of text.replace(colours, '').split(redrawn)) {
    if (stringWidth(line) <= columns) continue;
    // Variables may precede it. Or it is a flag whose value is a command, in backticks.
    const isCommand = /^ *(?:\S+: )?(?:[A-Z_]+=\S+ )*(?:wm|npx|kill|curl|export|`--tunnel) /.test(line);
    const isOneWord = !/\S\s+\S/.test(line.trim());
    assert.ok(isCommand || isOneWord, `${name}: ${stringWidth(line)} wide: ${line}`);
  }
}

export function assertJsonError({ output, errors }: Ran, name: string): void {
  assert.equal(output, '', name);
  // Warnings come before it.
  const { error } = JSON.parse(errors.trimEnd().split('\n').at(-1) ?? '');
  assert.equal(typeof error.code, 'string', `${name}: ${errors}`);
  assert.equal(typeof error.message, 'string', `${name}: ${errors}`);
}

/** Interrupts as soon as the command listens. */
function interruptedAtOnce(): World['process'] {
  return {
    ...createWorld().process,
    onInterrupt(listener: (signal: Interruption) => void) {
      const timer = setImmediate(() => listener('SIGINT'));
      return () => clearImmediate(timer);
    },
  };
}

function worldOf(place: Place, { isInterrupted }: Invocation): Partial<World> {
  const { world } = settingOf(place);
  return isInterrupted ? { ...world, process: interruptedAtOnce() } : world;
}

/** The environment, the input and the world of an invocation. */
export function invocationSetting(place: Place, invocation: Invocation): Setting {
  const { input } = invocation;
  return {
    environment: place.environment,
    ...(input === undefined ? {} : { input: place.values[input] ?? input }),
    world: worldOf(place, invocation),
  };
}

export async function missingArgumentOf({ load }: CommandRow): Promise<string | undefined> {
  const rows = Object.entries((await load()).default.arguments);
  return rows.find(([, { optional }]) => !optional)?.[0];
}
