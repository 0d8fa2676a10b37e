// Comments, attachments and timelogs of tasks, as far as the contract has rules for them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { control, settled } from '#test/support/service/control.ts';
import { forbidden, invalid, records, valuesOf } from '#test/support/service/records.ts';
import { call, type Started, started } from '#test/support/service/start-emulator.ts';
import { receiving } from '../dispatch/receiver.ts';

const task = 'IEAAAAAQKQAB5BNG';
const deleted = 'IEAAAAAQKQAB5BIN';

const post = (emulator: Started, path: string, parameters: Record<string, string>, method = 'POST') =>
  call(emulator, method, path, { form: parameters });

async function commented(emulator: Started, text: string): Promise<string> {
  const { status, body } = await post(emulator, `/tasks/${task}/comments`, { text });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.kind, 'comments');
  return body.data[0].text;
}

test('a comment keeps line breaks, links, mentions and quotes, and nothing else', async (t) => {
  const emulator = await started(t);
  for (const [sent, stored] of [
    ['one<br/>two', 'one<br />two'],
    ['<b>bold</b> <table><tr><td>x</td></tr></table><h1>y</h1>', 'bold xy'],
    ['<a href="https://example.com/">x</a>', '<a href="https://example.com/" rel="nofollow">x</a>'],
    ['<a href="javascript:x()">x</a>', 'x'],
    [
      '<a class="stream-user-id avatar" rel="KUAABENQ">@Ben</a>',
      '<a class="stream-user-id avatar" rel="KUAABENQ">&#64;Ben</a>',
    ],
    ['<a class="stream-user-id avatar" rel="nobody">@Ben</a>', '&#64;Ben'],
    [
      '<blockquote data-entrytype="comment" data-entryid="C1" data-user="KUAABENQ" data-date="2026-01-05" onclick="x()">q</blockquote>',
      '<blockquote data-entrytype="comment" data-entryid="C1" data-user="KUAABENQ" data-date="2026-01-05">q</blockquote>',
    ],
    [
      '<blockquote data-entrytype="task" data-entryid="T1" data-title="A &quot;b&quot;">q</blockquote>',
      '<blockquote data-entrytype="task" data-entryid="T1" data-title="A &quot;b&quot;">q</blockquote>',
    ],
    ['<blockquote data-entrytype="space" data-entryid="T1" data-title="A">q</blockquote>', 'q'],
    ['<blockquote>q</blockquote>', 'q'],
    ['<img src="https://files.example.com/attachments/IEAAAAAQIYAB5PNG/launch.png">x', 'x'],
  ] as const) {
    assert.equal(await commented(emulator, sent), stored);
  }
});

test('a comment query with plainText=true returns text without tags', async (t) => {
  const emulator = await started(t);
  await commented(emulator, 'a<br>b &lt;c&gt; <a href="https://example.com/">d</a>');
  for (const path of ['/comments', `/tasks/${task}/comments`]) {
    const [plain] = await records(emulator, 'GET', `${path}?plainText=true`);
    assert.equal(plain.text, 'a\nb <c> d');
    const [html] = await records(emulator, 'GET', `${path}?plainText=false`);
    assert.equal(html.text, 'a<br />b &lt;c&gt; <a href="https://example.com/" rel="nofollow">d</a>');
    const { id } = plain;
    assert.equal((await records(emulator, 'GET', `/comments/${id}?plainText=true`))[0].text, 'a\nb <c> d');
  }
});

test('a comment on a task or a timelog has up to 10,000 characters', async (t) => {
  const emulator = await started(t);
  assert.equal(await commented(emulator, '\u{1F3EE}'.repeat(10_000)), '&#x1f3ee;'.repeat(10_000));
  const timelog = { hours: '1', trackedDate: '2026-03-02' };
  const longest = await post(emulator, `/tasks/${task}/timelogs`, {
    ...timelog,
    comment: 'x'.repeat(10_000),
  });
  assert.equal(longest.status, 200);
  const id = (await records(emulator, 'GET', '/comments'))[0].id;
  for (const [path, parameters, method] of [
    [`/tasks/${task}/comments`, { text: 'x'.repeat(10_001) }, 'POST'],
    [`/comments/${id}`, { text: 'x'.repeat(10_001) }, 'PUT'],
    [`/tasks/${task}/timelogs`, { ...timelog, comment: 'x'.repeat(10_001) }, 'POST'],
  ] as const) {
    const { status, body } = await post(emulator, path, parameters, method);
    assert.deepEqual([status, body.error], invalid);
    assert.match(body.errorDescription, /10000/);
  }
});

test('comments, attachments and timelogs cause their events; a comment without text causes none', async (t) => {
  const emulator = await started(t, { allowLocalHooks: true });
  const receiver = await receiving(t);
  await post(emulator, '/webhooks', { hookUrl: receiver.url });
  const receivedEvents = async () => {
    await settled(emulator);
    return receiver.received
      .splice(0)
      .map(({ events: [{ webhookId, eventAuthorId, lastUpdatedDate, ...rest }] }) => {
        assert.ok(webhookId && eventAuthorId && lastUpdatedDate);
        return rest;
      });
  };
  const made = await post(emulator, `/tasks/${task}/comments`, {
    text: 'Hi <a href="https://a.example/">x</a>',
  });
  const commentId = made.body.data[0].id;
  assert.deepEqual(await receivedEvents(), [
    {
      eventType: 'CommentAdded',
      taskId: task,
      commentId,
      comment: { text: 'Hi x', html: 'Hi <a href="https://a.example/" rel="nofollow">x</a>' },
    },
  ]);
  await post(emulator, `/comments/${commentId}`, { text: 'Changed' }, 'PUT');
  await post(emulator, `/comments/${commentId}`, {}, 'DELETE');
  assert.deepEqual(await receivedEvents(), [{ eventType: 'CommentDeleted', taskId: task, commentId }]);

  const silent = await post(emulator, `/tasks/${task}/comments`, { text: '', attachments: '["a b.png"]' });
  const [added, ...others] = await receivedEvents();
  assert.deepEqual([others, added?.eventType, added?.taskId], [[], 'AttachmentAdded', task]);
  const { body } = await call(emulator, 'GET', `/tasks/${task}/attachments`);
  assert.deepEqual(
    [body.kind, body.data.at(-1).id, body.data.at(-1).name],
    ['attachments', added?.attachmentId, 'a b.png'],
  );
  await post(emulator, `/comments/${silent.body.data[0].id}`, {}, 'DELETE');
  assert.deepEqual(valuesOf(await receivedEvents(), 'eventType'), ['CommentDeleted', 'AttachmentDeleted']);

  for (const text of ['<br>', ' \n', '<a class="stream-user-id avatar" rel="KUAABENQ"></a>', '<p></p>&nbsp;'])
    await post(emulator, `/tasks/${task}/comments`, { text });
  assert.deepEqual(await receivedEvents(), []);

  const attached = await post(emulator, `/tasks/${task}/attachments`, { name: 'c.pdf' });
  const attachmentId = attached.body.data[0].id;
  assert.equal((await records(emulator, 'GET', `/tasks/${task}`))[0].hasAttachments, true);
  await call(emulator, 'DELETE', `/attachments/${attachmentId}`);
  assert.deepEqual(await receivedEvents(), [
    { eventType: 'AttachmentAdded', taskId: task, attachmentId },
    { eventType: 'AttachmentDeleted', taskId: task, attachmentId },
  ]);

  const logged = await post(emulator, `/tasks/${task}/timelogs`, { hours: '1.5', trackedDate: '2026-03-02' });
  const timeTrackerId = logged.body.data[0].id;
  await post(emulator, `/timelogs/${timeTrackerId}`, { hours: '2' }, 'PUT');
  await call(emulator, 'DELETE', `/timelogs/${timeTrackerId}`);
  assert.deepEqual(await receivedEvents(), [
    { eventType: 'TimelogChanged', taskId: task, timeTrackerId, type: 'Added', hours: '1.5' },
    { eventType: 'TimelogChanged', taskId: task, timeTrackerId, type: 'Updated', hours: '2' },
    { eventType: 'TimelogChanged', taskId: task, timeTrackerId, type: 'Removed', hours: '2' },
  ]);
});

test('comments, timelogs and attachments of a deleted task cannot be created or changed', async (t) => {
  const emulator = await started(t);
  const comment = (await post(emulator, `/tasks/${task}/comments`, { text: 'x' })).body.data[0].id;
  const attachment = (await post(emulator, `/tasks/${task}/attachments`, { name: 'x' })).body.data[0].id;
  const timelog = (await post(emulator, `/tasks/${task}/timelogs`, { hours: '1', trackedDate: '2026-03-02' }))
    .body.data[0].id;
  await control(emulator, 'DELETE', `/tasks/${task}`);
  for (const [method, path, parameters] of [
    ['POST', `/tasks/${deleted}/comments`, { text: 'x' }],
    ['POST', `/tasks/${deleted}/attachments`, { name: 'x' }],
    ['POST', `/tasks/${deleted}/timelogs`, { hours: '1', trackedDate: '2026-03-02' }],
    ['PUT', `/comments/${comment}`, { text: 'y' }],
    ['DELETE', `/comments/${comment}`, {}],
    ['DELETE', `/attachments/${attachment}`, {}],
    ['PUT', `/timelogs/${timelog}`, { hours: '2' }],
    ['DELETE', `/timelogs/${timelog}`, {}],
  ] as const) {
    const { status, body } = await post(emulator, path, parameters, method);
    assert.deepEqual([status, body.error], forbidden, `${method} ${path}`);
  }
  assert.equal((await records(emulator, 'GET', `/tasks/${task}/comments`))[0].text, 'x');
});

test('the deprecated date of a timelog still works; responses have only the new names', async (t) => {
  const emulator = await started(t);
  const old = await post(emulator, `/tasks/${task}/timelogs`, { hours: '1', date: '2026-03-02' });
  assert.equal(old.body.data[0].trackedDate, '2026-03-02');
  assert.equal(old.body.data[0].createdDate, '2026-03-02T12:00:00Z');
  assert.ok(!('date' in old.body.data[0]));
  const both = await post(emulator, `/tasks/${task}/timelogs`, {
    hours: '1',
    date: '2026-03-02',
    trackedDate: '2026-03-03',
  });
  assert.deepEqual([both.status, both.body.error], invalid);
  for (const [missing, parameters] of [
    ['trackedDate', { hours: '1' }],
    ['hours', { trackedDate: '2026-03-02' }],
  ] as const) {
    const { status, body } = await post(emulator, `/tasks/${task}/timelogs`, parameters);
    assert.deepEqual(
      [status, body.error, body.errorDescription],
      [400, 'parameter_required', `Parameter '${missing}' is required`],
    );
  }
  for (const folder of await records(emulator, 'GET', '/folders')) {
    assert.ok(Array.isArray(folder.childIds));
    assert.ok(!('children' in folder));
  }
});

test('deleting a comment keeps attachments of other comments, or of none', async (t) => {
  const emulator = await started(t);
  await post(emulator, `/tasks/${task}/attachments`, { name: 'alone' });
  const [first, second] = [
    await post(emulator, `/tasks/${task}/comments`, { text: 'a', attachments: '["first"]' }),
    await post(emulator, `/tasks/${task}/comments`, { text: 'b', attachments: '["second"]' }),
  ];
  const names = async () => valuesOf(await records(emulator, 'GET', `/tasks/${task}/attachments`), 'name');
  assert.deepEqual(await names(), ['alone', 'first', 'second']);
  await call(emulator, 'DELETE', `/comments/${first.body.data[0].id}`);
  assert.deepEqual(await names(), ['alone', 'second']);
  await call(emulator, 'DELETE', `/comments/${second.body.data[0].id}`);
  assert.deepEqual(await names(), ['alone']);
});

test('an unknown comment, attachment, timelog or job is not found', async (t) => {
  const emulator = await started(t);
  for (const [method, path, what] of [
    ['GET', '/comments/NOPE1234', 'Comment'],
    ['PUT', '/comments/NOPE1234?text=x', 'Comment'],
    ['DELETE', '/attachments/NOPE1234', 'Attachment'],
    ['PUT', '/timelogs/NOPE1234?hours=1', 'Timelog'],
    ['GET', '/async_job/NOPE1234', 'Job'],
  ] as const) {
    const { status, body } = await call(emulator, method, path);
    assert.deepEqual(
      [status, body.error, body.errorDescription],
      [404, 'resource_not_found', `${what} NOPE1234 was not found`],
      `${method} ${path}`,
    );
  }
});
