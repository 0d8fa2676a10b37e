// The input of an endpoint's handler, and the type that requires a handler for every operation of the contract.

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
  /** The requested part of a list. */
  readonly pageRequest: PageRequest;
}

type Arguments<O> = O extends Operation<infer P> ? ArgumentsOf<P> : never;

export type Handlers = {
  readonly [N in OperationName]: (
    call: EndpointRequest<Arguments<(typeof operations)[N]>>,
  ) => ApiResult | Promise<ApiResult>;
};

/** The id of this name in the path, where there is only one. */
export function idOf({ ids }: Pick<EndpointRequest<unknown>, 'ids'>, name: string): string {
  return ids.get(name)?.[0] ?? '';
}
