// The checks of a copy in which the recipes are followed: the compiler, and the tests that hold the tables of the contract, of the
// emulator and of the commands.

const test = 'scripts/test.mjs';

/** Tests that run whole. */
const tables = [
  'test/structure/architecture',
  'test/root/failure',
  'test/contract/witness',
  'test/emulator/rows',
  'test/emulator/update/update',
  'test/emulator/curl',
  'test/tasks/update-requests',
  'test/app/help-width',
  'test/app/invocations',
  'test/cli/settings/change-settings.test',
  'test/workspace/timelog-add',
  'test/tools/probing/probe',
] as const;

const more = {
  types: ['node_modules/typescript/bin/tsc', '--noEmit'],
  commands: [
    test,
    'test/transcript/transcript',
    'test/documents/readme',
    '--test-name-pattern=every command|made-up',
  ],
  flags: [test, 'test/transcript/transcript.test', 'test/terminal/one-line', '--typed-flags=space list'],
  events: [
    test,
    'test/emulator/control/control',
    'test/emulator/dispatch/delivery',
    '--test-name-pattern=witness|each event',
  ],
  tables: [test, ...tables],
} as const;

/** One of the tables alone, too. */
export type Check = keyof typeof more | (typeof tables)[number];

export const allChecks = Object.keys(more) as readonly (keyof typeof more)[];

/** After `node`. */
export function commandOf(check: Check): readonly string[] {
  const commands: Readonly<Partial<Record<Check, readonly string[]>>> = more;
  return commands[check] ?? [test, check];
}
