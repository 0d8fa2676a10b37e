// Prints help: on a terminal, through the pager of the user.

import type { CommonFlags } from '#cli/flags/common-flags.ts';
import type { World } from '#world/world.ts';

/** For other output than a terminal, and for a terminal that does not report its width. */
const defaultWidth = 110;

/** In columns. An exported COLUMNS takes precedence. */
export function helpWidth({ environment, streams }: Pick<World, 'environment' | 'streams'>): number {
  const columns = Number(environment['COLUMNS']);
  return Number.isInteger(columns) && columns > 0 ? columns : (streams.output.columns ?? defaultWidth);
}

export async function printHelp(world: World, page: string, common: Pick<CommonFlags, 'pager'> = {}) {
  const { input, output, errors, asTyped } = world.streams;
  const text = asTyped?.(page) ?? page;
  const { CI, WM_NO_INPUT } = world.environment;
  if (!output.isTerminal || !input.isTerminal || CI || WM_NO_INPUT) return void (await output.write(text));
  const [{ createUserPager }, { printPaged }, { interruptedFailure }] = await Promise.all([
    import('#terminal/user-pager.ts'),
    import('#terminal/paged-output.ts'),
    import('#cli/interrupt.ts'),
  ]);
  const noChanges = { changes: new Map(), changesOnlyBySession: true, interruptHint: () => undefined };
  const pager = createUserPager(world, common, (signal) => interruptedFailure(signal, noChanges));
  if (pager === undefined) return void (await output.write(text));
  const warn = (line: string) => errors.write(`${line}\n`);
  await printPaged(pager, output, warn, (paged) => paged.write(text));
  return undefined;
}
