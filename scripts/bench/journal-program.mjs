// The program that the journal's part of the bench runs: `fill FOLDER COUNT` and `open FOLDER COUNT`. Bundled by journal.mjs, since
// it imports the source.

import fs from 'node:fs';
import { openJournal } from '../../src/receiver/journal/open-journal.ts';
import { createClock } from '../../src/world/clock.ts';
import { createFiles } from '../../src/world/files.ts';
import { createLock } from '../../src/world/lock.ts';

const [, , command, folder, count] = process.argv;
const total = Number(count);
/** Requests at once, as a receiver under load has them. */
const senders = 200;

const filler = 'x'.repeat(400);
const bodyOf = (number) =>
  Buffer.from(
    `[{"taskId":"IEAAAAAQKQ${number}","webhookId":"IEAAAAAQJAAAAAAB","eventAuthorId":"KUAAAAAQ","eventType":"TaskStatusChanged","text":"${filler}"}]`,
  );
const headers = [
  ['Host', 'hooks.example.com'],
  ['Content-Type', 'application/json'],
  ['Content-Length', '550'],
  ['X-Hook-Signature', '0123456789abcdef'.repeat(4)],
  ['Idempotency-Key', '00000000-0000-0000-0000-000000000000'],
  ['User-Agent', 'okhttp/4.9.3'],
];
const deliveryOf = (number) => ({
  receivedAt: Date.now(),
  path: '/hook',
  headers,
  body: bodyOf(number),
  idempotencyKey: `key-${number}`,
  signature: 'valid',
});

/** A disk that syncs nothing: a million deliveries are there within half a minute. */
const unsynced = {
  ...fs,
  promises: {
    ...fs.promises,
    async open(...args) {
      const file = await fs.promises.open(...args);
      file.sync = async () => {};
      file.datasync = async () => {};
      return file;
    },
  },
};

function worldWith(system) {
  const clock = createClock();
  const files = createFiles({ WM_CONFIG_DIR: folder }, process.platform, folder, () => folder, system);
  return { files, clock, lock: createLock(process.platform, clock) };
}

/** Each sender sends its next one when the last was stored. */
async function sendAll(store) {
  let next = 0;
  const send = async () => {
    while (next < total) await store(next++);
  };
  await Promise.all(Array.from({ length: senders }, send));
}

const mark = (journal, sequence) =>
  journal.mark({
    kind: 'attempt',
    sequence,
    time: Date.now(),
    target: 'http://127.0.0.1:3000/hook',
    attempt: 1,
    milliseconds: 5,
    outcome: '200',
    verdict: 'forwarded',
    finishes: true,
  });

const commands = {
  async fill() {
    const options = { maxBytes: 100 * 2 ** 30 };
    const { journal } = await openJournal(worldWith(unsynced), folder, options);
    // The last thousand are not forwarded yet.
    await sendAll(async (number) => {
      const { sequence } = await journal.append(deliveryOf(number));
      if (number < total - 1000) mark(journal, sequence);
    });
    await journal.close();
    return fs.readdirSync(folder).filter((name) => name.endsWith('.journal')).length;
  },
  async open() {
    const { journal, report } = await openJournal(worldWith(), folder);
    const { isDuplicate } = await journal.append(deliveryOf(1));
    if (report.unfinished !== 1000 || report.findings.length > 0 || !isDuplicate)
      throw new Error(`the journal is not as it was: ${JSON.stringify(report)}`);
    await journal.close();
    return 0;
  },
};

process.stdout.write(`${await commands[command]()}\n`);
