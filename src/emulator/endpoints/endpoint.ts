// The input of an endpoint's handler, and the type that requires a handler for every operation of the contract.

import type { Operation } from '#contract/operation.ts';
import { operations } from '#contract/operations.ts';
import { otherOperations } from '#contract/other-operation.ts';
import { replaceError, text } from '#contract/schema.ts';
import type { ParsedArguments } from '../http/arguments.ts';
import { ErrorResponse } from '../http/error-response.ts';
import type { ReceivedFile } from '../http/multipart.ts';
import type { PageRequest } from '../http/paging.ts';
import type { ApiResult, FileResult } from '../http/response.ts';
import type { PathIds } from '../http/router.ts';
import { originOf, type Service, type Session } from '../service/service.ts';
import { requireEntry, requireFolder, requireTask } from '../state/access.ts';
import type { Folder, StoredTask, Token } from '../state/store.ts';
import type { UpdateContext } from '../update/apply-effects.ts';

/** The acting user: of a request, or of an operation of a batch. */
export interface Caller extends UpdateContext {
  readonly service: Service;
}

const unnoted = { assume: () => undefined, ignore: () => undefined };

export function createCaller(
  service: Service,
  { user, account }: Pick<Session, 'user' | 'account'>,
  { assume, ignore }: Pick<UpdateContext, 'assume' | 'ignore'> = unnoted,
): Caller {
  const { store, clock } = service;
  const workspace = originOf(service, account.dataCentre);
  return { service, store, user, account, timestamp: clock.timestamp(), workspace, assume, ignore };
}

export interface EndpointRequest<A = unknown> extends Caller {
  readonly token: Token;
  readonly ids: PathIds;
  readonly arguments: A;
  readonly pageRequest: PageRequest;
  readonly file: ReceivedFile | undefined;
}

/** The contract's rows of these take a file; a name alone is the emulator's own short form. */
const nameOfFile = {
  parameters: { name: { schema: text('name', { notEmpty: true }), meaning: 'Name of the file' } },
} as const;

export const rows = {
  ...operations,
  ...otherOperations,
  createTaskAttachment: { ...operations.createTaskAttachment, ...nameOfFile },
  createFolderAttachment: { ...otherOperations.createFolderAttachment, ...nameOfFile },
  updateAttachment: { ...otherOperations.updateAttachment, ...nameOfFile },
};
type Rows = typeof rows;
export type Name = keyof Rows;

export type ArgumentsOf<N extends Name> = Rows[N] extends Operation<infer P> ? ParsedArguments<P> : never;

export type RequestOf<N extends Name> = EndpointRequest<ArgumentsOf<N>>;
type Handled = ApiResult | FileResult | Promise<ApiResult>;
export type Handlers = { readonly [N in Name]: (request: RequestOf<N>) => Handled };

export const idOf = ({ ids }: EndpointRequest, name: string): string => requireEntry(ids.single, name);

/** A record for each id of a path that takes several. */
export function readEach<T>({ ids: { several } }: EndpointRequest, read: (id: string) => T) {
  const rename = (error: ErrorResponse) =>
    several.length > 1 && error.error === 'resource_not_found' && error.because === 'stated'
      ? new ErrorResponse(error.error, error.message, 'one-unknown-id')
      : error;
  return { data: several.map((id) => replaceError(ErrorResponse, () => read(id), rename)) };
}

export const taskOf = (request: EndpointRequest): StoredTask => requireTask(request, idOf(request, 'taskId'));

/** The folder, project or space in the path. Throws {@link ErrorResponse}. */
export function folderOf(request: EndpointRequest): Folder {
  const folderId = request.ids.single.get('folderId');
  if (folderId !== undefined) return requireFolder(request, folderId);
  return requireFolder(request, idOf(request, 'spaceId'), 'space');
}

/** The same for a list; undefined for one of the whole account. */
export const placeOf = (request: EndpointRequest): Folder | undefined =>
  request.ids.single.size === 0 ? undefined : folderOf(request);
