// A session whose changes are recorded in the history. Reads are not, and cost nothing.

import { prepareRequest, type Session } from '../../client/session.ts';
import { type Operation, operations } from '../../contract/operation.ts';
import type { SelectedAccount } from '../../login/select-account.ts';
import type { ChangeAccount, ChangeRecorder } from './change-recorder.ts';

/** `recorder` is called with the first change. */
export function recordChanges(
  session: Session,
  recorder: () => Promise<ChangeRecorder>,
  account: SelectedAccount | undefined,
): Session {
  return {
    async send(operation, path, parameters, timeoutMs) {
      if (operation.method === 'GET') return session.send(operation, path, parameters, timeoutMs);
      // An invalid value is no change.
      prepareRequest(operation, path, parameters);
      const change = {
        operation: operationName(operation),
        method: operation.method,
        ids: Object.values(path).flat(),
        parameters: Object.keys(parameters),
        account: account && describeAccount(account),
      };
      const send = () => session.send(operation, path, parameters, timeoutMs);
      return (await recorder()).record(change, send);
    },
  };
}

function describeAccount({ baseUrl, profile }: SelectedAccount): ChangeAccount {
  return { host: new URL(baseUrl).host, ...(profile === undefined ? { token: 'WM_TOKEN' } : { profile }) };
}

/** `updateTask`. */
export function operationName({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  const row = Object.entries(operations).find(([, one]) => one.method === method && one.path === path);
  return row?.[0] ?? `${method} ${path}`;
}
