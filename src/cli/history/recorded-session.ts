// A session that records its changes in the history. Reads are not recorded and cost nothing.

import { prepareRequest } from '#client/request.ts';
import { requestName } from '#client/request-failure.ts';
import { parseJsonObject } from '#client/response.ts';
import type { RawResponse, Session } from '#client/session.ts';
import { type Operation, operations } from '#contract/operation.ts';
import type { SelectedAccount } from '#login/select-account.ts';
import type { ChangeAccount, ChangeRecorder } from './change-recorder.ts';

/** `recorder` is called with the first change. */
export function recordChanges(
  session: Session,
  recorder: () => Promise<ChangeRecorder>,
  account: SelectedAccount | undefined,
): Session {
  return {
    async sendRaw(request) {
      if (request.effect === 'GET') return session.sendRaw(request);
      let response: RawResponse | undefined;
      const change = {
        operation: requestName(request),
        method: request.effect,
        ids: [],
        parameters: [],
        account: account && describeAccount(account),
      };
      const send = async () => {
        response = await session.sendRaw(request);
        // The history records a rejection like any other failure.
        if (response.failure) throw response.failure;
        const data = parseJsonObject(response.response)?.['data'];
        return { records: Array.isArray(data) ? data : [], raw: [] };
      };
      try {
        await (await recorder()).record(change, send);
      } catch (error) {
        if (!response) throw error;
      }
      if (!response) throw new Error('The history recorded a change without sending it');
      return response;
    },
    async send(operation, path, parameters, timeoutMs, prepared) {
      if (operation.method === 'GET') return session.send(operation, path, parameters, timeoutMs, prepared);
      // An invalid value throws here, before a change is recorded.
      const request = prepared ?? prepareRequest(operation, path, parameters);
      const change = {
        operation: operationName(operation),
        method: operation.method,
        ids: Object.values(path).flat(),
        parameters: Object.keys(parameters),
        account: account && describeAccount(account),
      };
      const send = () => session.send(operation, path, parameters, timeoutMs, request);
      return (await recorder()).record(change, send);
    },
  };
}

function describeAccount({ baseUrl, profile }: SelectedAccount): ChangeAccount {
  return { host: new URL(baseUrl).host, ...(profile === undefined ? { token: 'WM_TOKEN' } : { profile }) };
}

/** `updateTask`. */
function operationName({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  const row = Object.entries(operations).find(([, entry]) => entry.method === method && entry.path === path);
  return row?.[0] ?? `${method} ${path}`;
}
