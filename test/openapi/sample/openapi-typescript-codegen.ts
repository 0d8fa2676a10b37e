// The main flow, with a client that openapi-typescript-codegen generated.

import {
  OpenAPI,
  ParameterisedEventInput,
  type TaskDatesInput,
  TasksService,
  WebhookStatus,
  WebhooksService,
} from './openapi-typescript-codegen/index';

const [baseUrl = '', token = '', taskId = ''] = process.argv.slice(2);
OpenAPI.BASE = baseUrl;
OpenAPI.TOKEN = token;
const dates: TaskDatesInput = { start: '2026-03-02', due: '2026-03-06' };
const list = await TasksService.listTasks({ status: JSON.stringify(['Active']), limit: 3 });
const updated = await TasksService.updateTask({
  taskId,
  title: 'Generated',
  dates: JSON.stringify(dates),
  follow: true,
});
const created = await WebhooksService.createWebhook({
  requestBody: {
    hookUrl: 'https://example.com/hook',
    events: ['TaskCreated'],
    parameterisedEvents: [{ event: ParameterisedEventInput.event.TASK_STATUS_CHANGED, fields: ['title'] }],
  },
});
const webhookId = created.data[0]?.id ?? '';
const suspended = await WebhooksService.updateWebhook({ webhookId, status: WebhookStatus.SUSPENDED });
process.stdout.write(
  JSON.stringify({
    tasks: list.data.length,
    title: updated.data[0]?.title,
    dates: updated.data[0]?.dates?.due,
    status: suspended.data[0]?.status,
  }),
);
