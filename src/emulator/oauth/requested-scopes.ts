// Parses the scopes that a client requests. Scopes outside the list of the contract are not granted, and the response warns of them.

import { scopes as knownScopes, type Scope } from '#contract/scope.ts';

const isScope = (name: string): name is Scope => knownScopes.some((scope) => scope === name);

export function parseScopes(text: string) {
  const names = text.split(',').map((part) => part.trim());
  return { scopes: names.filter(isScope), unknown: names.filter((name) => !isScope(name)) };
}

/** For a header: short, and only ASCII. */
export const scopeWarning = (unknown: readonly string[]): string =>
  `Scopes outside the list of the contract were left out: ${unknown
    .join(',')
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 500)}`;
