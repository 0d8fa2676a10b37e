// Files: uploaded as a body or as multipart/form-data, downloaded byte by byte, kept up to a limit.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startEmulator } from '#emulator/emulator.ts';
import { sample } from '#emulator/state/sample-ids.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { forbidden, outcome, records, rowsOf } from '#test/support/service/records.ts';
import type { Sent } from '#test/support/service/send.ts';
import { call, started } from '#test/support/service/start-emulator.ts';
import { createWorld } from '#world/create-world.ts';
import { shows } from '../shows.ts';
import { download, mebibytes, task, upload, urlOf } from './files.ts';

const multipart = (boundary: string, body: string): Sent => ({
  body,
  headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
});

test('a download returns the bytes, the type and the name of the upload', async (t) => {
  shows('file-contents', 'default');
  const emulator = await started(t);
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => at % 256));
  const form = new FormData();
  form.append('file', new Blob([bytes], { type: 'image/png' }), 'Ein (Bild) 🏮.png');
  const [{ id, url: none, name, size }] = await records(emulator, 'POST', task, { body: form });
  assert.deepEqual([name, size, none], ['Ein (Bild) 🏮.png', bytes.length, undefined]);
  const url = await urlOf(emulator, id);
  const linked = await call(emulator, 'GET', `/attachments/${id}/url`);
  assert.deepEqual(linked.body, { kind: 'url', data: [{ url }] });
  assert.equal(new URL(url).pathname.split('/').at(-1), 'Ein+(Bild)+%F0%9F%8F%AE.png');
  for (const address of [url, `${emulator.baseUrl}/attachments/${id}/download`]) {
    const file = await download(emulator, address);
    assert.equal(file.status, 200);
    assert.ok(file.bytes.equals(bytes));
    assert.equal(file.headers.get('content-type'), 'image/png');
    assert.equal(
      file.headers.get('content-disposition'),
      `attachment; filename="Ein (Bild) __.png"; filename*=UTF-8''Ein%20%28Bild%29%20%F0%9F%8F%AE.png`,
    );
    assert.equal(file.headers.get('emulator-assumption'), null);
  }
  const renamed = await download(emulator, `${emulator.baseUrl}/attachments/${id}/download/other.png`);
  assert.match(String(renamed.headers.get('content-disposition')), /filename="other.png"/);
  const head = await fetch(url, { method: 'HEAD' });
  assert.equal(head.headers.get('content-length'), String(bytes.length));
  assert.equal((await fetch(`${emulator.baseUrl}/attachments/${id}/download`)).status, 401);
});

test('a signed address needs no token, names one file, and expires after a day', async (t) => {
  shows('file-contents', 'default');
  const emulator = await started(t);
  const made = await upload(emulator, mebibytes(1), 'a b.bin');
  const [{ id }] = made.body.data;
  const other = (await upload(emulator, mebibytes(2))).body.data[0].id;
  const url = await urlOf(emulator, id);
  const status = async (address: string, method = 'GET') => (await fetch(address, { method })).status;
  assert.match(url, /\/a\+b\.bin\?/);
  assert.equal(await status(url), 200);
  for (const forged of [
    url.replace(id, other),
    url.replace('expires=', 'expires=9'),
    url.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
    url.replace(/&.*/, ''),
    url.replace(/\?.*/, ''),
  ])
    assert.equal(await status(forged), 403, forged);
  assert.equal(await status(url, 'DELETE'), 404);
  emulator.clock.move(86_400_000);
  assert.equal(await status(url), 200);
  emulator.clock.move(1_000);
  const late = await fetch(url);
  assert.equal(late.status, 403);
  assert.match(await late.text(), /"error":"access_forbidden"/);
  assert.equal(await status(await urlOf(emulator, id)), 200);
  await call(emulator, 'DELETE', `/attachments/${other}`);
  const path = `${task}?withUrls=true`;
  const listed = await records(emulator, 'GET', path);
  assert.deepEqual(
    listed.map((file) => [file.id, file.url.startsWith('http')]),
    [[id, true]],
  );
});

test('an attachment record: its type, size and version, and an address only on request', async (t) => {
  shows('task-items', 'default');
  const emulator = await started(t);
  const [file] = (await upload(emulator, new Uint8Array(3), 'a.txt')).body.data;
  const whole = {
    id: file.id,
    authorId: sample.ada,
    name: 'a.txt',
    createdDate: '2026-03-02T12:00:00Z',
    version: 1,
    type: 'Own',
    contentType: 'application/octet-stream',
    size: 3,
    taskId: sample.task,
    originVersionId: file.id,
  };
  assert.deepEqual(file, whole);
  assert.deepEqual(await records(emulator, 'GET', task), [whole]);
  const [named] = await records(emulator, 'POST', task, { form: { name: 'b.txt' } });
  assert.deepEqual([named.type, named.size], ['External', -1]);
  const [picture] = await records(emulator, 'GET', `/attachments/${sample.attachment}`);
  assert.deepEqual(
    [picture.contentType, picture.size, picture.authorId, picture.url],
    ['image/png', 70, sample.ada, undefined],
  );
});

test('a new version of a file has a new id and replaces the earlier one', async (t) => {
  shows('reference-endpoints', 'default');
  const emulator = await started(t);
  const [comment] = await records(emulator, 'POST', `/tasks/${sample.task}/comments`, {
    form: { text: 'x', attachments: '["a.bin"]' },
  });
  const [first] = comment.attachmentIds;
  const put = (id: string, body: Uint8Array) =>
    call(emulator, 'PUT', `/attachments/${id}`, { body, headers: { 'X-File-Name': 'a.bin' } });
  const [second] = (await put(first, mebibytes(1))).body.data;
  const [third] = (await put(second.id, mebibytes(2))).body.data;
  assert.equal(new Set([first, second.id, third.id]).size, 3);
  assert.deepEqual(
    [third.version, third.originVersionId, third.commentId, third.currentAttachmentId],
    [3, first, comment.id, undefined],
  );
  const listed = async (path: string) =>
    rowsOf(await records(emulator, 'GET', path), 'id', 'version', 'currentAttachmentId');
  const versions = [
    [third.id, 3, undefined],
    [second.id, 2, third.id],
    [first, 1, third.id],
  ];
  assert.deepEqual(await listed(task), versions.slice(0, 1));
  assert.deepEqual(await listed(`${task}?versions=true`), versions);
  const other = (await upload(emulator, mebibytes(1), 'b.bin')).body.data[0].id;
  const [next] = (await put(other, mebibytes(1))).body.data;
  assert.equal((await call(emulator, 'DELETE', `/attachments/${other}`)).status, 200);
  assert.equal(
    (await call(emulator, 'GET', `/attachments/${other}`)).status,
    404,
    'one version is deleted alone',
  );
  assert.equal((await call(emulator, 'DELETE', `/attachments/${next.id}`)).status, 200);
  assert.deepEqual(await listed(`/attachments/${third.id}`), versions.slice(0, 1));
  assert.deepEqual(await listed(`/attachments/${third.id}?versions=true`), versions);
  assert.deepEqual(await listed(`/attachments/${first}`), versions.slice(2));
  assert.equal((await download(emulator, await urlOf(emulator, second.id))).bytes.length, 1024 * 1024);
  const again = await put(first, mebibytes(1));
  assert.deepEqual([again.status, again.body.error], forbidden);
  const [record] = await records(emulator, 'GET', `/comments/${comment.id}`);
  assert.deepEqual(record.attachmentIds, [third.id]);
  await call(emulator, 'DELETE', `/attachments/${third.id}`);
  assert.deepEqual(await listed(`${task}?versions=true`), []);
  assert.equal((await call(emulator, 'GET', `/attachments/${first}`)).status, 404);
});

test('an image has a preview, in each size and under any name; other files have none', async (t) => {
  shows('reference-endpoints', 'default');
  const emulator = await started(t);
  const path = (id: string) => `${emulator.baseUrl}/attachments/${id}/preview`;
  for (const more of ['', '?size=w44', '?size=h400', '/small.png?size=w200']) {
    const { status, bytes, headers } = await download(emulator, `${path(sample.attachment)}${more}`);
    assert.deepEqual(
      [status, bytes.subarray(1, 4).toString(), headers.get('content-type')],
      [200, 'PNG', 'image/png'],
      more,
    );
  }
  assert.equal((await download(emulator, `${path(sample.attachment)}?size=w45`)).status, 400);
  const [{ id }] = (await upload(emulator, mebibytes(1), 'a.bin')).body.data;
  for (const more of ['', '/x.png'])
    assert.equal((await download(emulator, path(id) + more)).status, 404, more);
});

test('a file with a type unfit for a header downloads as bytes; a name in the header is enough', async (t) => {
  const emulator = await started(t);
  const part = 'Content-Disposition: form-data; name="file"; filename=""\r\nContent-Type: text';
  const body = `--cut\r\n${part}\r\n\r\na\r\n--cut--\r\n`;
  const unnamed = await call(emulator, 'POST', task, multipart('cut', body));
  assert.deepEqual([unnamed.status, unnamed.body.errorDescription], [400, 'The file has no name']);
  const { headers } = multipart('cut', body);
  const named = await call(emulator, 'POST', task, { body, headers: { ...headers, 'X-File-Name': 'a.txt' } });
  const [{ name, id }] = named.body.data;
  assert.equal(name, 'a.txt');
  assert.equal(
    (await download(emulator, await urlOf(emulator, id))).headers.get('content-type'),
    'application/octet-stream',
  );
});

test('accepts an empty file; the sample attachment can be downloaded', async (t) => {
  const emulator = await started(t);
  const [{ id, size }] = (await upload(emulator, new Uint8Array())).body.data;
  assert.equal(size, 0);
  assert.deepEqual((await download(emulator, await urlOf(emulator, id))).bytes.length, 0);
  const [picture] = await records(emulator, 'GET', `/attachments/${sample.attachment}`);
  assert.equal(picture.name, 'lantern.png');
  const { bytes } = await download(emulator, await urlOf(emulator, sample.attachment));
  assert.deepEqual(bytes.subarray(1, 4).toString(), 'PNG');
});

test('an image in a description may point to an attachment of the task', async (t) => {
  const emulator = await started(t);
  const url = await urlOf(emulator, (await upload(emulator, mebibytes(0), 'a.png')).body.data[0].id);
  const [described] = await records(emulator, 'PUT', `/tasks/${sample.task}`, {
    form: { description: `<img src="${url}"><img src="https://example.com/b.png">` },
  });
  assert.equal(described.description, `<img src="${url.replace('&', '&amp;')}" />`);
});

test('the data file has the file records, not their bytes', async (t) => {
  const folder = await ownFolder(t);
  const dataFile = join(folder, 'data.json');
  const start = async () => {
    const running = await startEmulator(createWorld(), { dataFile });
    assert.ok(!('fault' in running));
    return running;
  };
  const before = await start();
  const [{ id }] = (await upload(before, mebibytes(1), 'kept.bin')).body.data;
  await before.close();
  assert.ok((await readFile(dataFile)).length < 200_000);
  const after = await start();
  t.after(() => after.close());
  const [record] = await records(after, 'GET', `/attachments/${id}`);
  assert.deepEqual([record.name, record.size], ['kept.bin', 1024 * 1024]);
  assert.equal((await download(after, await urlOf(after, id))).status, 404);
});

test('a malformed multipart body is an error, and the next request is served', async (t) => {
  const emulator = await started(t);
  const part = (name: string, more: string, content: string) =>
    `--cut\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
  const file = part('file', '; filename="a.txt"', 'a');
  for (const [init, status, error, says] of [
    [multipart('cut', file), 400, 'invalid_request', /multipart/],
    [multipart('cut', ''), 400, 'invalid_request', /multipart/],
    [multipart('', file), 400, 'invalid_request', /multipart/],
    [{ body: file, headers: { 'Content-Type': 'multipart/form-data' } }, 400, 'invalid_request', /oundary/],
    [multipart('cut', `${file}${file}--cut--\r\n`), 400, 'invalid_request', /more than one file/],
    [multipart('cut', `${part('note', '', 'a')}--cut--\r\n`), 400, 'parameter_required', /has no file/],
    [
      multipart('cut', `${part('f', '', 'a').repeat(1_001)}--cut--\r\n`),
      400,
      'invalid_request',
      /1000 fields/,
    ],
    [
      multipart('cut', `${part('f', '', 'a'.repeat(17_000_000))}--cut--\r\n`),
      400,
      'invalid_request',
      /too long/,
    ],
  ] as const) {
    const response = await call(emulator, 'POST', task, init);
    assert.deepEqual([response.status, response.body.error], [status, error], says.source);
    assert.match(response.body.errorDescription, says);
  }
  for (const name of ['"a.txt"', 'a.txt', `"a.txt"; filename*=UTF-8''a.txt`]) {
    const body = `${part('file', `; filename=${name}`, 'a')}--cut--\r\n`;
    const sound = await call(emulator, 'POST', task, multipart('cut', body));
    assert.equal(sound.body.data?.[0].name, 'a.txt', name);
  }
});

test('parameters as multipart/form-data are accepted, and rejected with --strict', async (t) => {
  shows('multipart-parameters', 'default', 'strict');
  const form = new FormData();
  form.append('title', 'In parts');
  const emulator = await started(t);
  const accepted = await call(emulator, 'PUT', `/tasks/${sample.task}`, { body: form });
  assert.equal(accepted.body.data[0].title, 'In parts');
  assert.match(String(accepted.headers.get('emulator-assumption')), /multipart-parameters/);
  const comment = new FormData();
  comment.append('text', 'In parts');
  const strict = await started(t, { mode: 'strict' });
  const rejected = await call(strict, 'POST', `/tasks/${sample.task}/comments`, { body: comment });
  assert.deepEqual(
    [rejected.status, rejected.body.error, rejected.headers.get('emulator-assumption')],
    [400, 'invalid_request', 'multipart-parameters'],
  );
  form.append('file', new Blob(['x']), 'x');
  assert.deepEqual(await outcome(emulator, 'PUT', `/tasks/${sample.task}`, { body: form }), [
    400,
    'invalid_request',
  ]);
});
