// The main flow, with a client that orval generated.

import { createWebhook, listTasks, type TaskDatesInput, updateTask, updateWebhook } from './orval/api';

const [baseUrl = '', token = '', taskId = ''] = process.argv.slice(2);
const { fetch } = globalThis;
// Its functions send to a path alone.
globalThis.fetch = (path, init) => fetch(`${baseUrl}${path}`, init);
const headers = { Authorization: `Bearer ${token}` };
const dates: TaskDatesInput = { start: '2026-03-02', due: '2026-03-06' };
const list = await listTasks({ status: JSON.stringify(['Active']), limit: 3 }, { headers });
const updated = await updateTask(
  taskId,
  { title: 'Generated', dates: JSON.stringify(dates), follow: true },
  { headers },
);
const created = await createWebhook(
  {
    hookUrl: 'https://example.com/hook',
    events: ['TaskCreated'],
    parameterisedEvents: [{ event: 'TaskStatusChanged', fields: ['title'] }],
  },
  {},
  { headers: { ...headers, 'Content-Type': 'application/json' } },
);
if (list.status !== 200 || updated.status !== 200 || created.status !== 200)
  throw new Error(JSON.stringify([list, updated, created]));
const webhookId = created.data.data[0]?.id ?? '';
const suspended = await updateWebhook(webhookId, { status: 'Suspended' }, { headers });
if (suspended.status !== 200) throw new Error(JSON.stringify(suspended));
process.stdout.write(
  JSON.stringify({
    tasks: list.data.data.length,
    title: updated.data.data[0]?.title,
    dates: updated.data.data[0]?.dates?.due,
    status: suspended.data.data[0]?.status,
  }),
);
