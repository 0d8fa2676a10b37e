// A program in TypeScript whose types are generated from wm's OpenAPI document. What it sends is up to openapi-fetch. To that, a
// parameter that is JSON is a text; the type of what the text contains is among the schemas.

import createClient from 'openapi-fetch';
import type { components, paths } from './service.js';

type Values = Record<string, unknown>;
const encoded = (values: Values): URLSearchParams => {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const toText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  return new URLSearchParams(given.map(([name, value]) => [name, toText(value)]));
};

const [baseUrl = '', token = '', taskId = '', folderId = ''] = process.argv.slice(2);
const client = createClient<paths>({
  baseUrl,
  headers: { Authorization: `Bearer ${token}` },
});
const form = (body: object) => encoded({ ...body });
const formHeaders = { 'Content-Type': 'application/x-www-form-urlencoded' };

function first<T>({ data, error }: { data?: { data: T[] }; error?: unknown }): T {
  const [record] = data?.data ?? [];
  if (record === undefined) throw new Error(`No record: ${JSON.stringify(error)}`);
  return record;
}

const dates: components['schemas']['TaskDatesInput'] = {
  type: 'Planned',
  start: '2026-03-02',
  due: '2026-03-06T17:00:00',
  workOnWeekends: false,
};
const metadata: components['schemas']['MetadataInput'][] = [
  { key: 'a', value: 'b' },
  { key: 'gone', value: null },
];
const task: components['schemas']['Task'] = first(
  await client.PUT('/tasks/{taskId}', {
    params: {
      path: { taskId },
      query: {
        title: 'Generated & sent',
        status: 'Active',
        importance: 'High',
        dates: JSON.stringify(dates),
        metadata: JSON.stringify(metadata),
        addParents: JSON.stringify([folderId]),
        follow: true,
        fields: JSON.stringify(['effortAllocation', 'billingType']),
      },
    },
  }),
);

const webhook = first(
  await client.POST('/webhooks', {
    body: {
      hookUrl: 'https://example.com/generated',
      events: ['TaskCreated', 'TaskDeleted'],
      parameterisedEvents: [{ event: 'TaskStatusChanged', fields: ['title'] }],
    },
    bodySerializer: form,
    headers: formHeaders,
  }),
);
const asJson = first(
  await client.POST('/folders/{folderId}/webhooks', {
    params: { path: { folderId } },
    body: { hookUrl: 'https://example.com/json', recursive: true },
  }),
);
const read = await client.GET('/webhooks/{webhookId}', {
  params: { path: { webhookId: [webhook.id, asJson.id] } },
});
const suspended = first(
  await client.PUT('/webhooks/{webhookId}', {
    params: { path: { webhookId: webhook.id }, query: { status: 'Suspended' } },
  }),
);
const removed = await client.DELETE('/webhooks/{webhookId}', { params: { path: { webhookId: webhook.id } } });
const account = first(await client.GET('/account', { params: { query: { state: 'mine' } } }));
const wrong = await client.PUT('/tasks/{taskId}', {
  params: { path: { taskId }, query: { priorityBefore: 'IEAAAAAQKQNOSUCH' } },
});

// Each would be an error of the compiler without this comment, and is one if the document allows it.
// @ts-expect-error: not a status
const status: paths['/tasks/{taskId}']['put']['parameters']['query'] = { status: 'Done' };
// @ts-expect-error: not a parameter
const name: paths['/tasks/{taskId}']['put']['parameters']['query'] = { titel: 'x' };
// @ts-expect-error: hookUrl is required
const hook: components['schemas']['TokenResponse'] = {};

process.stdout.write(
  JSON.stringify({
    title: task.title,
    importance: task.importance,
    type: task.dates?.type,
    webhooks: read.data?.data.length,
    status: suspended.status,
    removed: removed.response.status,
    account: account.id,
    error: wrong.error?.error,
    unused: [status, name, hook].length,
  }),
);
