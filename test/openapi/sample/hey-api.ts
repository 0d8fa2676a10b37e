// The main flow, with a client that @hey-api/openapi-ts generated.

import { client } from './hey-api/client.gen';
import { createWebhook, listTasks, updateTask, updateWebhook } from './hey-api/sdk.gen';
import type { TaskDatesInput } from './hey-api/types.gen';

const [baseUrl = '', token = '', taskId = ''] = process.argv.slice(2);
client.setConfig({
  baseUrl: baseUrl as `https://${string}/api/v4`,
  auth: ({ type }) => (type === 'http' ? token : undefined),
});
const orThrow = { throwOnError: true } as const;
const dates: TaskDatesInput = { type: 'Planned', start: '2026-03-02', due: '2026-03-06' };
const list = await listTasks({ query: { status: JSON.stringify(['Active']), limit: 3 }, ...orThrow });
const updated = await updateTask({
  path: { taskId },
  query: { title: 'Generated', dates: JSON.stringify(dates), follow: true },
  ...orThrow,
});
const created = await createWebhook({
  body: {
    hookUrl: 'https://example.com/hook',
    events: ['TaskCreated'],
    parameterisedEvents: [{ event: 'TaskStatusChanged', fields: ['title'] }],
  },
  ...orThrow,
});
const webhookId = created.data.data[0]?.id ?? '';
const suspended = await updateWebhook({ path: { webhookId }, query: { status: 'Suspended' }, ...orThrow });
process.stdout.write(
  JSON.stringify({
    tasks: list.data.data.length,
    title: updated.data.data[0]?.title,
    dates: updated.data.data[0]?.dates?.due,
    status: suspended.data.data[0]?.status,
  }),
);
