// The default values of members that a seed, the sample or a request for a new task omits, and the records that every account has.

import type { TypeOf } from '#contract/schema.ts';
import { sampleApplications } from './sample-ids.ts';
import { storedSchemas } from './stored-schemas.ts';

type DefaultsOf<S> = {
  readonly [M in keyof S as S[M] extends { readonly default: unknown } ? M : never]: TypeOf<S[M]>;
};

function defaultsIn(shape: object): object {
  const rows: readonly [string, object][] = Object.entries(shape);
  return Object.fromEntries(rows.flatMap(([name, row]) => ('default' in row ? [[name, row.default]] : [])));
}

// Each value has the type of its schema, which the compiler cannot follow.
export const defaults = Object.fromEntries(
  Object.entries(storedSchemas).map(([list, { shape }]) => [list, defaultsIn(shape)]),
) as { readonly [L in keyof typeof storedSchemas]: DefaultsOf<(typeof storedSchemas)[L]['shape']> };

/** The application of the printed token, which accepts any loopback redirect URI. */
export const readyApplication: TypeOf<typeof storedSchemas.applications> = {
  ...sampleApplications.ready,
  name: 'Ready application',
  callbacks: [],
  loopback: true,
};

export const rootsOf = (accountId: string) => ({
  rootFolderId: `${accountId}I7777777`,
  recycleBinId: `${accountId}I7777776`,
});

export const standardWorkflow = (accountId: string): TypeOf<typeof storedSchemas.workflows> => {
  const statusId = (suffix: string) => `${accountId}JMAB5${suffix}`;
  return {
    id: `${accountId}K4AB5STD`,
    accountId,
    name: 'Default workflow',
    standard: true,
    hidden: false,
    statuses: [
      { id: statusId('ACT'), name: 'New', group: 'Active' },
      { id: statusId('CMP'), name: 'Completed', group: 'Completed' },
      { id: statusId('DFR'), name: 'Deferred', group: 'Deferred' },
      { id: statusId('CNC'), name: 'Cancelled', group: 'Cancelled' },
    ],
  };
};
