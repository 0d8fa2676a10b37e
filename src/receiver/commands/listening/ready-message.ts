// The message of `wm webhook listen` once it listens: its address, the names of its secrets (never their values), its targets, and
// how to reach it from outside.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Listening } from '#world/world.ts';
import { printRunRecord } from './listen-record.ts';
import type { ListenView } from './listen-view.ts';
import type { ReceiverSecret } from './receiver-secrets.ts';
import type { ReceiverStorage } from './receiver-storage.ts';

export interface ReadyParts {
  readonly listening: Pick<Listening, 'host' | 'port'>;
  readonly path: string | undefined;
  readonly secrets: readonly ReceiverSecret[];
  readonly unsigned: boolean;
  /** wm itself creates a webhook with the secret. */
  readonly creates: boolean;
  readonly targets: readonly string[];
  readonly storage: Pick<ReceiverStorage, 'name' | 'flags' | 'isShared'>;
  /** Deliveries that earlier runs left unfinished. */
  readonly waiting: number;
  /** The address of the page. */
  readonly page: string | undefined;
}

/** `http://127.0.0.1:4020/hook` */
function localUrl({ host, port }: Pick<Listening, 'host' | 'port'>, path = '/'): string {
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${local.includes(':') ? `[${local}]` : local}:${port}${path}`;
}

export function nameOfSecret({ source, webhookId, isNew }: ReceiverSecret): string {
  if (webhookId !== undefined) return `that of webhook ${webhookId}`;
  return isNew ? `a new one, stored in ${source}` : source;
}

export function announceReady(context: Context, view: ListenView, parts: ReadyParts): void {
  const { listening, path, unsigned, targets, storage, waiting, page } = parts;
  const url = localUrl(listening, path);
  const secrets = parts.secrets.map(nameOfSecret);
  const { host, port } = listening;
  void printRunRecord(context, 'listening', {
    url,
    host,
    port,
    ...(storage.isShared ? { sink: storage.name } : { journal: storage.name }),
    secrets,
    targets,
    waiting,
    ...omitUndefined({ page }),
  });
  // A warning has just named the file of a new secret.
  const isNamedBefore = parts.secrets.some(({ isNew, store }) => isNew && store === 'file');
  const secretNames = [
    ...(isNamedBefore ? ['a new one'] : secrets),
    ...(unsigned ? ['none needed (--unsigned)'] : []),
  ];
  view.message(
    [
      `Listening on ${url} (Ctrl-C ends it)`,
      ...(['0.0.0.0', '::'].includes(host) ? [`  address: ${host}, every address of this machine`] : []),
      `  secret:  ${secretNames.join(', ')}`,
      `  target:  ${targets.length === 0 ? 'none here: wm webhook forward sends what is stored' : targets.join(', ')}`,
      `  ${storage.isShared ? 'sink:   ' : 'journal:'} ${storage.name}`,
      ...(page === undefined ? [] : [`  page:    ${page}`]),
      ...(waiting === 0
        ? []
        : [`${countOf(waiting, 'delivery of an earlier run waits', 'deliveries of earlier runs wait')}.`]),
      ...(!parts.creates && parts.secrets.some(({ isNew }) => isNew)
        ? [howToCreate(context, storage.flags)]
        : []),
    ].join('\n'),
  );
}

function howToCreate(context: Context, storageFlags: readonly string[]): string {
  const show = formatCommandWith(
    context,
    'webhook secret',
    [],
    '--receiver',
    ...storageFlags,
    '--show',
    '--yes',
  );
  const create = formatCommandWith(context, 'webhook create', ['https://...'], '--secret-stdin');
  return `To create a webhook with the new secret: ${show} | ${create}`;
}
