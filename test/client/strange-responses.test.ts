// The strange responses that people met, for the commands that they ran. The deep suite tries all of them with everything.

import { after } from 'node:test';
import { testStrange } from './test-strange.ts';

const calls = [
  'updateTask: wm task update',
  'getTasks: wm task get',
  'updateWebhook: wm webhook suspend webhook',
];
const responses = ['200, a page of HTML', "404, a gateway's JSON", '403, an empty body', 'another record'];

await testStrange(
  { after },
  (call, strange) => calls.some((name) => call.startsWith(name)) && responses.includes(strange),
);
