// The host that the selected account is on. Ids are unique there, so what this machine records is kept apart by host.

import { findBaseUrl } from '../login/select-account.ts';
import type { Context } from './context.ts';

/** `api.example.com`; `unknown` where no account is selected. */
export async function accountHost({ world, account }: Pick<Context, 'world' | 'account'>): Promise<string> {
  const base = await findBaseUrl(world, account);
  return base === undefined ? 'unknown' : new URL(base).host;
}

/** A host as part of a file name. */
export function safeFileName(host: string): string {
  return host.replace(/[^\w.-]/g, '_');
}
