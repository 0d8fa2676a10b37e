// Parses the scopes that a client requests. Scopes outside the list of the contract are not granted, and the response warns of them.

import { scopes as knownScopes, type Scope } from '#contract/scope.ts';

interface RequestedScopes {
  readonly scopes: readonly Scope[];
  readonly unknown: readonly string[];
}

export function parseScopes(text: string): RequestedScopes {
  const scopes: Scope[] = [];
  const unknown: string[] = [];
  for (const name of text.split(',').map((part) => part.trim())) {
    const scope = knownScopes.find((knownScope) => knownScope === name);
    if (scope === undefined) unknown.push(name);
    else scopes.push(scope);
  }
  return { scopes, unknown };
}

/** For a header: short, and only ASCII. */
export const scopeWarning = (unknown: readonly string[]): string =>
  `Scopes outside the list of the contract were left out: ${unknown
    .join(',')
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 500)}`;
