// The message of `wm webhook listen` once it listens: its address, the names of its secrets, its targets, and the way in from outside.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { formatLocalTime } from '#dates/local-time.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Listening } from '#world/world.ts';
import type { ListenFlags } from './listen-flags.ts';
import { printRunRecord } from './listen-record.ts';
import type { ReceiverOutput } from './open-output.ts';
import type { ReceiverSecret } from './receiver-secrets.ts';
import type { ReceiverStorage } from './receiver-storage.ts';

/** `http://127.0.0.1:4020/hook` */
function localUrl({ host, port }: Listening, path = '/'): string {
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${local.includes(':') ? `[${local}]` : local}:${port}${path}`;
}

export function nameOfSecret({ source, webhookId, isNew }: ReceiverSecret): string {
  if (webhookId !== undefined) return `that of webhook ${webhookId}`;
  return isNew ? `a new one, stored in ${source}` : source;
}

export function announceReady(
  context: Context,
  flags: ListenFlags,
  storage: ReceiverStorage,
  { view, page, ...output }: ReceiverOutput,
  listening: Listening,
  receiverSecrets: readonly ReceiverSecret[],
): void {
  const { host, port } = listening;
  const url = localUrl(listening, flags.path);
  const secrets = receiverSecrets.map(nameOfSecret);
  const targets = output.targets.all.map(({ name }) => name);
  const waiting = storage.journal.state().unfinished;
  void printRunRecord(context, 'listening', {
    url,
    host,
    port,
    ...(storage.isShared ? { sink: storage.name } : { journal: storage.name }),
    secrets,
    targets,
    waiting,
    ...omitUndefined({ page: page?.url }),
  });
  // A warning has just named the file of a new secret.
  const isNamedBefore = receiverSecrets.some(({ isNew, store }) => isNew && store === 'file');
  const secretNames = [
    ...(isNamedBefore ? ['a new one'] : secrets),
    ...(flags.unsigned ? ['none needed (--unsigned)'] : []),
  ];
  view.message(
    [
      `Listening on ${url} (Ctrl-C ends it)`,
      ...(['0.0.0.0', '::'].includes(host) ? [`  address: ${host}, every address of this machine`] : []),
      `  secret:  ${secretNames.join(', ')}`,
      `  target:  ${targets.length === 0 ? 'none here: wm webhook forward sends what is stored' : targets.join(', ')}`,
      `  ${storage.isShared ? 'sink:   ' : 'journal:'} ${storage.name}`,
      `  time:    ${formatLocalTime(context.world.clock.now())}`,
      ...(page === undefined ? [] : [`  page:    ${page.url}`]),
      ...(waiting === 0
        ? []
        : [`${countOf(waiting, 'delivery of an earlier run waits', 'deliveries of earlier runs wait')}.`]),
      ...(!flags.create && receiverSecrets.some(({ isNew }) => isNew)
        ? [howToCreate(context, storage.flags)]
        : []),
    ].join('\n'),
  );
}

function howToCreate(context: Context, storageFlags: readonly string[]): string {
  const flags = ['--receiver', ...storageFlags, '--show', '--yes'];
  const show = formatCommandWith(context, 'webhook secret', [], ...flags);
  const create = formatCommandWith(context, 'webhook create', ['https://...'], '--secret-stdin');
  return `To create a webhook with the new secret: ${show} | ${create}`;
}
