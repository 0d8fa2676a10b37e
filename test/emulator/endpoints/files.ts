// Uploads and downloads files of a task.

import { sample } from '#emulator/state/sample-ids.ts';
import { records } from '#test/support/service/records.ts';
import { call, type Started } from '#test/support/service/start-emulator.ts';

export const task = `/tasks/${sample.task}/attachments`;
export const mebibytes = (count: number) => new Uint8Array(count * 1024 * 1024).fill(count);

export const upload = (emulator: Pick<Started, 'baseUrl' | 'token'>, body: Uint8Array, name = 'file') =>
  call(emulator as Started, 'POST', task, { body, headers: { 'X-File-Name': encodeURIComponent(name) } });

/** The signed address of a file. */
export async function urlOf(emulator: Pick<Started, 'baseUrl' | 'token'>, id: string): Promise<string> {
  return (await records(emulator as Started, 'GET', `/attachments/${id}?withUrls=true`))[0].url;
}

export async function download(emulator: Pick<Started, 'token'>, url: string) {
  const response = await fetch(url, { headers: { Authorization: `Bearer ${emulator.token}` } });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}
