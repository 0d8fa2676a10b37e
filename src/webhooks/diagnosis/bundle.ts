// Writes a diagnosis to a file, for a ticket. Others will read it, so known secrets are redacted, and the query and the
// credentials of URLs too.

import { resolve } from 'node:path';
import type { Context } from '#cli/context.ts';
import { formatJson } from '#contract/json.ts';
import { errorMessage, usageError } from '#failure.ts';

export async function assertBundleFree({ world, common }: Context, path: string): Promise<void> {
  const kind = await world.files.kind(toPath({ world }, path));
  if (kind === undefined || (kind === 'file' && common.yes)) return;
  if (kind === 'file') throw usageError(`--bundle: ${path} exists`, 'To replace it: --yes');
  throw usageError(`--bundle: ${path} is not a file`, 'Give the name of a new file.');
}

export async function writeBundle({ world }: Context, path: string, bundle: object): Promise<void> {
  const text = redactUrls(formatJson(bundle, { indent: 2, change: world.secrets.redact }));
  await world.files.write(toPath({ world }, path), `${text}\n`, { mode: 0o600 }).catch((error: unknown) => {
    throw usageError(`--bundle: cannot write ${path}`, undefined, errorMessage(error));
  });
}

function toPath({ world }: Pick<Context, 'world'>, path: string): string {
  return resolve(world.files.currentFolder, path);
}

/** In JSON text: a URL ends before a space, a quote or a backslash. */
export function redactUrls(json: string): string {
  return json
    .replace(/(https?:\/\/)[^\s"\\/?#@]*@/gi, '$1[redacted]@')
    .replace(
      /(https?:\/\/[^\s"\\?#]*)(\?[^\s"\\#]*)?(#[^\s"\\]*)?/gi,
      (_, address: string, query?: string, fragment?: string) =>
        `${address}${query ? '?[redacted]' : ''}${fragment ? '#[redacted]' : ''}`,
    );
}
