// The scopes of a token, and what each of them includes: the one table of scopes. A token needs one of the scopes that an
// operation lists.

/** Each scope with the others that it includes. Contract: Authentication 9. */
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

// The table is written above with exactly these keys.
export const scopes = Object.keys(includedScopes) as readonly Scope[];

/** The scope of a client that asks for none. */
export const defaultScope: Scope = 'Default';

export const readScopes: readonly Scope[] = ['Default', 'wsReadOnly', 'wsReadWrite'];

/** The scope for changing a task or a webhook. */
export const writeScopes: readonly Scope[] = ['Default', 'wsReadWrite'];

export const workflowReadScopes: readonly Scope[] = ['Default', 'amReadOnlyWorkflow', 'amReadWriteWorkflow'];

/** True if a token with the scopes `granted` may call an operation that lists the scopes `required`. */
export function grantsAccess(granted: readonly Scope[], required: readonly Scope[]): boolean {
  return required.some((scope) => holds(granted, scope));
}

/** The default scope is nothing but what it includes: a token that has all of that has it. */
function holds(granted: readonly Scope[], scope: Scope): boolean {
  const isPart = (one: Scope) => {
    const included: readonly Scope[] = includedScopes[one];
    return one === scope || included.includes(scope);
  };
  return (
    granted.some(isPart) ||
    (scope === defaultScope && includedScopes.Default.every((one) => holds(granted, one)))
  );
}
