// `wm task update` for many tasks: prints a plan, asks for confirmation, then runs it. Each step is in a file of this
// folder or of src/bulk/.

import type { Context } from '#cli/context.ts';
import { formatCount } from '#cli/count-of.ts';
import { decodeInput } from '#cli/decode-text.ts';
import { readInput } from '#cli/file-value.ts';
import { untilInterrupted } from '#cli/interrupt.ts';
import { parseLink } from '#cli/resolve/id-shape.ts';
import { createRequestFormatter } from '#cli/send.ts';
import { type TaskUpdate, taskOperations } from '#contract/task.ts';
import type { World } from '#world/world.ts';
import { replaceTitles } from '../select/named-task.ts';
import { checkFiles } from './check-files.ts';
import { confirmPlan } from './confirm-plan.ts';
import { fileSource, idSource } from './input-source.ts';
import type { JournalClaim } from './journal-file.ts';
import { type BulkRequest, createPlan, invalidRowsFailure, printPlan } from './plan.ts';
import { createLookUps, createRowResolver, resolverAt } from './row-resolver.ts';
import { handleInterruptions, runBulk } from './run-bulk.ts';

/** How many requests a dry run shows for a file: a million would bury the plan. */
const maxRequestsShown = 10;

/** `typed`: the ids, permalinks and titles; `idsFrom`: where they come from. Rejects with a Failure unless every row was updated. */
export async function bulkUpdate(
  context: Context,
  {
    typed,
    idsFrom,
    ...options
  }: Pick<BulkRequest, 'flags' | 'defaults' | 'undoable'> & {
    readonly typed: readonly string[];
    readonly idsFrom: string;
  },
): Promise<void> {
  const { world, report } = context;
  const { flags, defaults } = options;
  context.ignoreHangupWithoutTerminal();
  const { ids, repeated } = distinctIds(await untilInterrupted(context, () => replaceTitles(context, typed)));
  if (repeated.length > 0)
    await report.info(`Given more than once, and updated once: ${repeated.join(', ')}`);
  const source =
    flags.from === undefined
      ? idSource(idsFrom, ids, typed, defaults)
      : fileSource(world, flags.from, defaults, flags, !context.isDryRun || showsAll(context));
  try {
    const resolver = createRowResolver(createLookUps(context), world.clock.now());
    const request = { ...options, ids, source, resolver };
    await checkFiles(world, flags);
    if (context.isDryRun) await untilInterrupted(context, () => dryRun(context, request));
    else await planAndSend(context, request);
  } finally {
    await source.close();
  }
}

/** Pipelines through xargs often repeat ids. Keeps the text of the first. */
function distinctIds(texts: readonly string[]) {
  const ids = new Map<string, string>();
  const repeated = new Set<string>();
  for (const text of texts) {
    const link = parseLink(text);
    // A link without an id is rejected later, with its reason.
    const id = 'problem' in link ? text : link.id;
    if (ids.has(id)) repeated.add(id);
    else ids.set(id, text);
  }
  return { ids: [...ids.values()], repeated: [...repeated] };
}

const showsAll = ({ common, report }: Context): boolean => report.wantsJson || common.curl === true;

/** Shows all requests for ids on the command line and with --json or --curl; otherwise the first few. */
async function dryRun(context: Context, request: BulkRequest): Promise<void> {
  const { report } = context;
  const all = request.flags.from === undefined || showsAll(context);
  const formatRequest = await createRequestFormatter(context);
  let hidden = -maxRequestsShown;
  // No request is shown before all rows are read: their dates may contradict the account's format.
  const held: string[] = [];
  const show = ({ id, update }: { readonly id: string; readonly update: TaskUpdate }) => {
    if (++hidden > 0 && !all) return undefined;
    const line = formatRequest(taskOperations.updateTask, { taskId: id }, update);
    if (all) return report.line(line);
    held.push(line);
    return undefined;
  };
  if (all) await createPlan(request, () => undefined, { keepsIds: false });
  const plan = await createPlan(request, show, { keepsIds: false });
  for (const line of held) await report.line(line);
  if (hidden > 0 && !all)
    await report.info(`and ${formatCount(hidden)} more requests; --json shows every one`);
  await printPlan(context, plan);
  await report.info('Dry run: nothing was sent.');
  if (plan.invalid > 0) throw invalidRowsFailure(plan);
}

async function planAndSend(context: Context, request: BulkRequest): Promise<void> {
  let claim: JournalClaim | undefined;
  try {
    const confirmed = await untilInterrupted(context, () =>
      confirmPlan(context, request, (newClaim) => {
        claim = newClaim;
      }),
    );
    if (!confirmed) return;
    const { plan } = confirmed;
    const interruptions = handleInterruptions(context);
    try {
      const opened = await confirmed.claim.open(plan.resolver.now, plan.idEntries, plan.lost);
      await runBulk(
        context,
        { ...plan, resolver: resolverAt(plan.resolver, opened.started) },
        { opened, interruptions },
      );
    } finally {
      interruptions.dispose();
    }
  } finally {
    await claim?.release();
  }
}

/** A million ids. */
const maxBytes = 32 * 1024 * 1024;

/** `-` is standard input. A line with tabs, as `wm task list` prints it, counts by its first cell. Throws a usage failure. */
export async function readIdLines(world: World, path: string): Promise<readonly string[]> {
  return decodeInput(await readInput(world, path, '--ids', maxBytes), `--ids ${path}`)
    .split('\n')
    .map((line) => (line.split('\t')[0] ?? '').trim())
    .filter((id) => id !== '');
}
