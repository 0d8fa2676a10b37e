// The main flow, with a client that swagger-typescript-api generated.

import { Api, type TaskDatesInput, TaskStatus, WebhookStatus } from './swagger-typescript-api/api';

const [baseUrl = '', token = '', taskId = ''] = process.argv.slice(2);
const api = new Api({ baseUrl, baseApiParams: { headers: { Authorization: `Bearer ${token}` } } });
const dates: TaskDatesInput = { start: '2026-03-02', due: '2026-03-06' };
const list = await api.tasks.listTasks({ status: JSON.stringify([TaskStatus.Active]), limit: 3 });
const updated = await api.tasks.updateTask(taskId, {
  title: 'Generated',
  dates: JSON.stringify(dates),
  follow: true,
});
const created = await api.webhooks.createWebhook({
  hookUrl: 'https://example.com/hook',
  events: ['TaskCreated'],
  parameterisedEvents: [{ event: 'TaskStatusChanged', fields: ['title'] }],
});
const webhookId = created.data.data[0]?.id ?? '';
const suspended = await api.webhooks.updateWebhook(webhookId, { status: WebhookStatus.Suspended });
process.stdout.write(
  JSON.stringify({
    tasks: list.data.data.length,
    title: updated.data.data[0]?.title,
    dates: updated.data.data[0]?.dates?.due,
    status: suspended.data.data[0]?.status,
  }),
);
