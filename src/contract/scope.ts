// The scopes of a token. One of those that an operation lists is enough.

export const scopes = [
  'Default',
  'wsReadOnly',
  'wsReadWrite',
  'amReadOnlyWorkflow',
  'amReadWriteWorkflow',
  'amReadOnlyInvitation',
  'amReadWriteInvitation',
  'amReadOnlyGroup',
  'amReadWriteGroup',
  'amReadOnlyUser',
  'amReadWriteUser',
] as const;

export type Scope = (typeof scopes)[number];

/** What a client gets that asks for none; equal to wsReadWrite, and holding amReadOnlyWorkflow. */
export const defaultScope: Scope = 'Default';

/** What a scope brings beside itself. */
export const impliedScopes: Partial<Record<Scope, readonly Scope[]>> = {
  Default: ['wsReadWrite', 'wsReadOnly', 'amReadOnlyWorkflow'],
  wsReadWrite: ['wsReadOnly'],
  amReadWriteWorkflow: ['amReadOnlyWorkflow'],
  amReadWriteInvitation: ['amReadOnlyInvitation'],
  amReadWriteGroup: ['amReadOnlyGroup'],
  amReadWriteUser: ['amReadOnlyUser'],
};

/** True where a token of these scopes may call an operation that lists those. */
export function grantsAccess(granted: readonly Scope[], listed: readonly Scope[]): boolean {
  return granted.some(
    (scope) => listed.includes(scope) || impliedScopes[scope]?.some((one) => listed.includes(one)),
  );
}
