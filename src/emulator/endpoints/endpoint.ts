// What one call of the API gets: who calls, the ids of its path, its checked parameters. And the type that demands a
// function for every operation of the contract.

import type { Operation, OperationName, operations } from '../../contract/operation.ts';
import type { ArgumentsOf } from '../../contract/parameter.ts';
import type { PageRequest } from '../http/paging.ts';
import type { ApiResult } from '../http/response.ts';
import type { Service, Session } from '../service/service.ts';

export interface EndpointRequest<A> {
  readonly service: Service;
  readonly session: Session;
  readonly ids: ReadonlyMap<string, readonly string[]>;
  readonly arguments: A;
  /** Which part of a list is wanted. */
  readonly pageRequest: PageRequest;
}

type Arguments<O> = O extends Operation<infer P> ? ArgumentsOf<P> : never;

export type Handlers = {
  readonly [N in OperationName]: (
    call: EndpointRequest<Arguments<(typeof operations)[N]>>,
  ) => ApiResult | Promise<ApiResult>;
};

/** The one id of that name in the path. */
export function idOf({ ids }: Pick<EndpointRequest<unknown>, 'ids'>, name: string): string {
  return ids.get(name)?.[0] ?? '';
}
