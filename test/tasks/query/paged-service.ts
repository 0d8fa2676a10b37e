// A service whose list of tasks comes in pages that the test determines, and that answers a page when the test lets it.

import { createServer } from 'node:http';
import type { TestContext } from 'node:test';
import { listening } from '#test/support/service/listening.ts';

export interface ListedTask {
  readonly id: string;
  readonly [field: string]: unknown;
}

export interface PagedService {
  /** For WM_TOKEN and WM_HOST. */
  readonly environment: Readonly<Record<string, string>>;
  /** The targets of the requests for tasks, in the order in which they came. */
  readonly targets: readonly string[];
  /** Resolves when the n-th of them has come, the first being 1. */
  arrived(count: number): Promise<void>;
}

interface Page {
  readonly tasks: readonly ListedTask[];
  /** The answer waits for it. */
  readonly gate?: Promise<unknown>;
  /** Instead of the tasks: an error with this status. */
  readonly status?: number;
}

/** The page that a request gets, the first being 0; nothing after the last one. Every other list is empty. */
export async function startPagedService(
  context: TestContext,
  pageAt: (index: number, target: string) => Page | undefined,
  lists: Readonly<Record<string, readonly object[]>> = {},
): Promise<PagedService> {
  const targets: string[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const kind = pathname.split('/').at(-1) ?? '';
    const send = (status: number, body: object) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (kind !== 'tasks') return send(200, { kind, data: lists[kind] ?? [] });
    const target = (request.url ?? '').replace('/api/v4', '');
    targets.push(target);
    for (const one of waiting) if (targets.length >= one.count) one.resolve();
    const index = Number(searchParams.get('nextPageToken')?.slice(1) ?? 0);
    const page = pageAt(index, target) ?? { tasks: [] };
    await page.gate;
    if (page.status !== undefined)
      return send(page.status, { error: 'invalid_parameter', errorDescription: 'A fault of the test' });
    const next = pageAt(index + 1, target) === undefined ? {} : { nextPageToken: `p${index + 1}` };
    send(200, { kind: 'tasks', data: page.tasks, ...next });
  });
  const port = await listening(server);
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    environment: { WM_TOKEN: 'T', WM_HOST: `127.0.0.1:${port}` },
    targets,
    arrived: (count) =>
      new Promise((resolve) => {
        if (targets.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
  };
}

/** So many tasks, with ids that tell their number. */
export function tasksFrom(first: number, count: number, more: object = {}): ListedTask[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `IEAAAAAQKQ${String(first + at).padStart(6, '0')}`,
    title: `Task ${first + at}`,
    status: 'Active',
    ...more,
  }));
}
