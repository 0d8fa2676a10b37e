// A program that uses the package as any other would: it is checked against the package's types, and run, by package.test.ts.

import { createClient, Failure, sign, type Task, verify } from 'wm-cli';

const print = (line: unknown) => process.stdout.write(`${line}\n`);

const { WM_HOST: host = '', WM_TOKEN: token = '' } = process.env;
let refreshed = 0;
const client = createClient({
  // The first token is one that the service rejects.
  access: { host, token: 'expired' },
  async refresh(rejected) {
    refreshed += rejected.token === 'expired' ? 1 : 100;
    return { host: rejected.host, token };
  },
  timeoutMs: 20_000,
  userAgent: 'example/1.0',
});

const taskId = 'IEAAAAAQKQAB5BNG';
const { records } = await client.send('updateTask', { taskId }, { status: 'Completed' });
const [task]: readonly Task[] = records;
print(`${task?.id} ${task?.status} ${refreshed}`);

let count = 0;
for await (const page of client.pages('listTasks', {}, {}, { pageSize: 5, limit: 7 }))
  count += page.records.length;
print(count);

try {
  // @ts-expect-error a status that does not exist is an error of the compiler too
  await client.send('updateTask', { taskId }, { status: 'Done' });
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  print(`${error.code}: ${error.message}`);
}
try {
  await client.send('getTasks', { taskIds: ['IEAAAAAQKQZZZZZZ'] });
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  print(`${error.code} ${error.httpStatus} ${error.errorCode}`);
}
print(verify('secret', '[]', sign('secret', '[]')));
