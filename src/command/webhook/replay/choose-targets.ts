// Where `webhook replay` sends: to the targets that its flags name, or to those of the last `webhook listen` with this journal.

import { joinWithAnd } from '../../../contract/format-list.ts';
import { usageError } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { type LastTarget, readLastTarget } from '../listen/journal-folder.ts';
import type { ListenFlags } from '../listen/listen-flags.ts';
import { createTargets, type Targets } from '../listen/targets.ts';

export interface ReplayTargets extends Pick<Targets, 'choose'> {
  /** `http://127.0.0.1:3000/hook` */
  readonly description: string;
}

/** On every replayed request. */
const replayHeader = { 'x-wm-replay': '1' };

/** @throws {Failure} `usage` if nothing says where. */
export async function chooseReplayTargets(
  { world, report }: Pick<Context, 'world' | 'report'>,
  folder: string,
  flags: ListenFlags,
): Promise<ReplayTargets> {
  const isGiven = [flags.forwardTo, flags.route, flags.exec].some((flag) => flag !== undefined);
  const where = isGiven ? flags : { ...flags, ...toFlags(await readLast(world, folder)) };
  // Standard output has the results; what a command says goes to standard error.
  const view = { printDelivery: async () => {}, message: (text: string) => void report.info(text) };
  const targets = await createTargets(world, where, {
    view: () => view,
    onReaderGone: () => {},
    ownHeaders: replayHeader,
  });
  return { choose: targets.choose, description: joinWithAnd(targets.all.map(({ name }) => name)) };
}

async function readLast(world: Context['world'], folder: string): Promise<LastTarget> {
  const last = (await readLastTarget(world, folder)) ?? {};
  if (last.forwardTo !== undefined || (last.routes ?? []).length > 0) return last;
  throw usageError(
    'Missing: where to send the deliveries',
    'Give --forward-to URL, --route EVENT=URL or --exec COMMAND.',
    'wm webhook listen has not forwarded any to a URL from this journal',
  );
}

function toFlags({ forwardTo, routes }: LastTarget): Pick<ListenFlags, 'forwardTo' | 'route'> {
  return {
    ...(forwardTo === undefined ? {} : { forwardTo }),
    ...(routes === undefined ? {} : { route: routes }),
  };
}
