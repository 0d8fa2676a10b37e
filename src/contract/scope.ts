// The scopes of tokens, and the scopes that each includes. An operation lists several scopes; a token needs one of them.

/** The other scopes that each scope includes. Contract: Authentication 9. */
const includedScopes = {
  Default: ['wsReadWrite', 'wsReadOnly', 'amReadOnlyWorkflow'],
  wsReadOnly: [],
  wsReadWrite: ['wsReadOnly'],
  amReadOnlyWorkflow: [],
  amReadWriteWorkflow: ['amReadOnlyWorkflow'],
  amReadOnlyInvitation: [],
  amReadWriteInvitation: ['amReadOnlyInvitation'],
  amReadOnlyGroup: [],
  amReadWriteGroup: ['amReadOnlyGroup'],
  amReadOnlyUser: [],
  amReadWriteUser: ['amReadOnlyUser'],
} as const satisfies Record<string, readonly string[]>;

export type Scope = keyof typeof includedScopes;

// The table has exactly these keys.
export const scopes = Object.keys(includedScopes) as readonly Scope[];
/** The scope of a client that requests none. */
export const defaultScope: Scope = 'Default';
export const readScopes: readonly Scope[] = ['Default', 'wsReadOnly', 'wsReadWrite'];
export const writeScopes: readonly Scope[] = ['Default', 'wsReadWrite'];
export const workflowReadScopes = [...readScopes, 'amReadOnlyWorkflow', 'amReadWriteWorkflow'] as const;

/** True if a token with the scopes `granted` may use an operation that lists the scopes `accepted`, if it lists any. */
export function grantsAccess(granted: readonly Scope[], accepted: readonly Scope[]): boolean {
  return accepted.length === 0 || accepted.some((scope) => includesScope(granted, scope));
}

/** All scopes that the default scope includes are together as much as the default scope. */
function includesScope(granted: readonly Scope[], scope: Scope): boolean {
  const included = granted.flatMap((name): readonly Scope[] => [name, ...includedScopes[name]]);
  return (
    included.includes(scope) ||
    (scope === defaultScope && includedScopes.Default.every((part) => included.includes(part)))
  );
}
