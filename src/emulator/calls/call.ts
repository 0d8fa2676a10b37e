// What one call of the API gets: who calls, the ids of its path, its checked parameters. And the type that demands a
// function for every operation of the contract.

import type { Operation, OperationName, operations } from '../../contract/operation.ts';
import type { ArgumentsOf } from '../../contract/parameter.ts';
import type { Result } from '../answer.ts';
import type { PageWish } from '../paging.ts';
import type { Service, Session } from '../service.ts';

export interface Call<A> {
  readonly service: Service;
  readonly session: Session;
  readonly ids: ReadonlyMap<string, readonly string[]>;
  readonly arguments: A;
  /** Which part of a list is wanted. */
  readonly page: PageWish;
}

type Arguments<O> = O extends Operation<infer P> ? ArgumentsOf<P> : never;

export type Calls = {
  readonly [N in OperationName]: (call: Call<Arguments<(typeof operations)[N]>>) => Result | Promise<Result>;
};

/** The one id of that name in the path. */
export function idOf({ ids }: Pick<Call<unknown>, 'ids'>, name: string): string {
  return ids.get(name)?.[0] ?? '';
}
