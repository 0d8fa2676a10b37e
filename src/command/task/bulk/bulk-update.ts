// `wm task update` for many tasks: prints a plan, asks for confirmation, then runs it. Each step is in a file of this
// folder or of src/bulk/.

import type { Context } from '../../context.ts';
import { untilInterrupted } from '../../interrupt.ts';
import type { UpdateFlagValues } from '../input/build-update.ts';
import { checkFiles } from './check-files.ts';
import { type BulkInput, confirmPlan, invalidRowsFailure, printPlan } from './confirm-plan.ts';
import { distinctIds } from './distinct-ids.ts';
import type { BulkFlags } from './flags.ts';
import { fileSource, idSource } from './input-source.ts';
import { handleInterruptions } from './interruption.ts';
import type { JournalClaim } from './journal-file.ts';
import { createPlan } from './plan.ts';
import { createRequestPreview } from './request-preview.ts';
import { createRowResolver } from './row-resolver.ts';
import { runBulk } from './run-bulk.ts';

export interface BulkUpdateInput {
  readonly ids: readonly string[];
  readonly flags: BulkFlags;
  /** The values that the command line gives for every row. */
  readonly line: UpdateFlagValues;
  /** The previous values go into the undo log before anything is sent. */
  readonly undoable: boolean;
}

/** A run of fewer rows ends before the heap has grown: collecting sooner would only cost it time. */
const maxRowsInLargeHeap = 25_000;

/** Rejects with a Failure where not every row was updated. */
export async function bulkUpdate(context: Context, update: BulkUpdateInput): Promise<void> {
  const { world, common, report } = context;
  const { flags, line, undoable } = update;
  const { ids, repeated } = distinctIds(update.ids);
  if (repeated.length > 0)
    await report.info(`Given more than once, and updated once: ${repeated.join(', ')}`);
  const isDryRun = common.dryRun === true || common.curl === true;
  const source =
    flags.from === undefined ? idSource(ids, line) : fileSource(world, flags.from, line, !isDryRun);
  try {
    const input = { flags, line, source, resolver: createRowResolver(context, world.clock.now()) };
    await checkFiles(world, flags);
    if (isDryRun) await untilInterrupted(context, () => dryRun(context, input));
    else await planAndSend(context, input, { undoable, ids });
  } finally {
    await source.close();
  }
}

async function dryRun(context: Context, input: BulkInput): Promise<void> {
  const { flags, source, resolver } = input;
  const preview = await createRequestPreview(context, flags.from === undefined);
  const plan = await createPlan(await source.open(resolver), preview.print);
  await preview.end();
  await printPlan(context, plan, input);
  await context.report.info('Dry run: nothing was sent.');
  if (plan.invalid > 0) throw invalidRowsFailure(plan);
}

async function planAndSend(
  context: Context,
  input: BulkInput,
  own: Pick<BulkUpdateInput, 'ids' | 'undoable'>,
): Promise<void> {
  let claim: JournalClaim | undefined;
  try {
    const { plan, remaining, claimed } = await untilInterrupted(context, () =>
      confirmPlan(context, input, (made) => {
        claim = made;
      }),
    );
    if (plan.rows > maxRowsInLargeHeap) await context.world.process.preferSmallHeap();
    const interruptions = handleInterruptions(context);
    try {
      const { flags, line, source, resolver } = input;
      const opened = await claimed.open(resolver.now);
      await runBulk(
        context,
        { flags, line, ...own },
        { plan, remaining, source, resolver: resolver.at(opened.started), opened, interruptions },
      );
    } finally {
      interruptions.dispose();
    }
  } finally {
    await claim?.release();
  }
}
