// What an operation of the contract is: method, path, scopes, parameters and response. The client builds requests from these rows, and
// the emulator its routes. Each row is beside its record (task.ts, webhook.ts, ...), so that a command creates only the rows of its
// subject. operations.ts has them all.

import type { AssumptionId } from './assumption.ts';
import { identifier } from './identifier.ts';
import { limit } from './limit.ts';
import type { Parameters } from './parameter.ts';
import { type Schema, text } from './schema.ts';
import { readScopes, type Scope, writeScopes } from './scope.ts';

/** The percent-encoded name of a file that is the body. */
export const fileNameHeader = 'X-File-Name';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface PathParameter {
  readonly schema: Schema<string>;
  /** The most ids that the path takes, separated by commas; undefined if it takes only one. */
  readonly maxIds?: number;
  /** The assumption for its pattern, if the contract shows none. */
  readonly assumption?: AssumptionId;
}

export interface Operation<P extends Parameters = Parameters, R = unknown> {
  readonly method: Method;
  readonly name?: string;
  /** Below the API's base URL; `{name}` is a path parameter. */
  readonly path: string;
  readonly parameters: P;
  /** Where the parameters of a request go. By default in the query, and for POST in a form body. */
  readonly parametersIn: 'query' | 'form';
  /** The body is a file; a header has its name. */
  readonly takesFile?: true;
  /** A token needs one of these. */
  readonly scopes: readonly Scope[];
  readonly kind: string;
  /** Another kind to accept, if the contract does not show the kind. */
  readonly alsoKind?: string;
  readonly record: Schema<R>;
  /** When the list comes in pages, if not always. */
  readonly pages?: 'never' | 'filtered';
  /** The body of the response is the bytes of a file, not JSON. */
  readonly returnsFile?: true;
  /** `stated`: the contract shows it. `named`: only its name; the shape is assumed. `assumed`: the contract does not mention it. */
  readonly evidence: 'stated' | 'named' | 'assumed';
  /** The assumption for everything that the contract does not show. */
  readonly assumption?: AssumptionId;
  /** The one for its parameters other than `fields`, if it is another. */
  readonly filterAssumption?: AssumptionId;
}

/** An operation that the contract does not show completely names an assumption. */
type Evidence =
  | { readonly evidence?: 'stated' }
  | { readonly evidence: 'named' | 'assumed'; readonly assumption: AssumptionId };

const pathParameters = {
  taskId: { schema: identifier('TaskId') },
  taskIds: { schema: identifier('TaskId'), maxIds: limit.tasksPerGet },
  folderId: { schema: identifier('FolderId') },
  folderIds: { schema: identifier('FolderId'), maxIds: limit.foldersPerGet },
  spaceId: { schema: identifier('FolderId'), assumption: 'space-id-pattern' },
  spaceIds: { schema: identifier('FolderId'), maxIds: limit.itemsPerGet, assumption: 'space-id-pattern' },
  webhookId: { schema: identifier('WebhookId') },
  webhookIds: { schema: identifier('WebhookId'), maxIds: limit.webhooksPerGet },
  contactId: { schema: identifier('UserId') },
  contactIds: { schema: identifier('UserId'), maxIds: limit.contactsPerGet },
  userId: { schema: identifier('UserId') },
  commentId: { schema: identifier('CommentId') },
  commentIds: { schema: identifier('CommentId'), maxIds: limit.itemsPerGet },
  attachmentId: { schema: identifier('AttachmentId') },
  attachmentIds: { schema: identifier('AttachmentId'), maxIds: limit.itemsPerGet },
  name: { schema: text('name', { notEmpty: true }) },
  timelogId: { schema: identifier('TimelogId') },
  timelogIds: { schema: identifier('TimelogId'), maxIds: limit.itemsPerGet },
  dependencyId: { schema: identifier('DependencyId') },
  dependencyIds: { schema: identifier('DependencyId'), maxIds: limit.itemsPerGet },
  customFieldId: { schema: identifier('CustomFieldId') },
  customFieldIds: { schema: identifier('CustomFieldId'), maxIds: limit.itemsPerGet },
  workflowIds: { schema: identifier('WorkflowId'), maxIds: limit.itemsPerGet },
  groupId: { schema: identifier('UserId') },
  invitationId: { schema: identifier('UserId') },
  dataExportId: { schema: identifier('JobId') },
  jobId: { schema: identifier('JobId') },
} as const satisfies Readonly<Record<string, PathParameter>>;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;
/** The parameters of a path by name: a program must pass them. */
export type PathParametersOf<Path extends string> = Pick<
  typeof pathParameters,
  NamesIn<Path> & keyof typeof pathParameters
>;

export function pathParameter(name: string): PathParameter | undefined {
  const rows: Readonly<Record<string, PathParameter>> = pathParameters;
  return rows[name];
}

export function pathParametersOf(path: string): Readonly<Record<string, PathParameter>> {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  return Object.fromEntries(
    names.flatMap((name) => {
      const parameter = pathParameter(name);
      return parameter ? [[name, parameter]] : [];
    }),
  );
}

const none = {} as const;

type Row<P extends Parameters, R> = Pick<Operation<P, R>, 'kind' | 'record'> &
  Partial<Operation<P, R>> &
  Evidence;

export function operation<R, const Path extends string, P extends Parameters = typeof none>(
  method: Method,
  path: Path,
  row: Row<P, R>,
): Operation<P, R> & { readonly path: Path } {
  // Without parameters in the row, P is the type of none.
  const { parameters = none as unknown as P, takesFile } = row;
  return {
    parametersIn: method === 'POST' && !takesFile ? 'form' : 'query',
    scopes: method === 'GET' ? readScopes : writeScopes,
    evidence: 'stated',
    ...row,
    method,
    path,
    parameters,
  };
}

export function withNames<T extends Readonly<Record<string, object>>>(rows: T): T {
  const named: Record<string, object> = {};
  for (const name in rows) named[name] = { ...rows[name], name };
  // Only the optional name is added, which the compiler cannot follow.
  return named as T;
}

export const assumed = <A extends AssumptionId>(assumption: A) =>
  ({ evidence: 'assumed', assumption }) as const;
export const named = <A extends AssumptionId>(assumption: A) => ({ evidence: 'named', assumption }) as const;
