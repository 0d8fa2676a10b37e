// The scopes that a client asks for: a scope outside the list of the contract is left out, and the response warns of it.

import { scopes as knownScopes, type Scope } from '#contract/scope.ts';

export interface RequestedScopes {
  readonly scopes: readonly Scope[];
  readonly unknown: readonly string[];
}

export function parseScopes(text: string): RequestedScopes {
  const scopes: Scope[] = [];
  const unknown: string[] = [];
  for (const one of text.split(',').map((part) => part.trim())) {
    const scope = knownScopes.find((known) => known === one);
    if (scope === undefined) unknown.push(one);
    else scopes.push(scope);
  }
  return { scopes, unknown };
}

/** A header holds ASCII alone, and stays short. */
export const scopeWarning = (unknown: readonly string[]): string =>
  `Scopes outside the list of the contract were left out: ${unknown
    .join(',')
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 500)}`;
