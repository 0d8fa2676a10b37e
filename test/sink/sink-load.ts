// Deliveries for receivers of a sink, as many as its forwarders can bear, and a target that judges what comes: what is lost, what is
// out of order, and what comes twice.

import { startHookSender, taskId } from '#test/receiver/listen/hook-sender.ts';
import { startOrderedTarget } from '#test/receiver/listen/ordered-target.ts';
import { createChanges, within } from './bounded.ts';
import { secret } from './running-wm.ts';

/** Forwarders name themselves to the target with this header. */
export const forwarderHeader = 'X-Forwarder';

const tasks = 20;
/** How many deliveries may be acknowledged and not yet forwarded. */
const mostBehind = 300;

/** `ports`: of the receivers. `said`: what the processes have printed, for the error when something never happens. */
export async function startLoad(ports: readonly number[], said: () => string) {
  let acknowledged = 0;
  let isEnding = false;
  const sent = new Set<string>();
  const counts = new Map<string, number>();
  let repeats = 0;
  let unmarked = 0;
  const { changed, until: when } = createChanges();
  const target = await startOrderedTarget((delivery, headers) => {
    const by = String(headers[forwarderHeader.toLowerCase()]);
    counts.set(by, (counts.get(by) ?? 0) + 1);
    if (sent.has(delivery)) {
      repeats++;
      if (headers['x-wm-redelivered'] !== '1') unmarked++;
    }
    sent.add(delivery);
    // After the judge has looked at it.
    setImmediate(changed);
  });
  const isBehind = () => !isEnding && acknowledged - sent.size > mostBehind;
  let turn = 0;
  const sender = startHookSender(
    () => ports[turn++ % ports.length] ?? 0,
    secret,
    tasks,
    () => {
      acknowledged++;
      changed();
      return isBehind() ? when(() => !isBehind()) : undefined;
    },
  );
  const until = (what: string, reached: () => boolean) =>
    within(what, when(reached), () => `${acknowledged} acknowledged, ${sent.size} forwarded\n${said()}`);
  return {
    /** Of the target. */
    url: target.url,
    acknowledged: () => acknowledged,
    /** How many deliveries this forwarder has sent. */
    sentBy: (forwarder: string) => counts.get(forwarder) ?? 0,
    start: () => sender.resume(),
    /** Resolves once it holds, which is looked at after each acknowledgement and each delivery. */
    until,
    /** Resolves once so many more are stored and forwarded. */
    goOn(count: number) {
      const [stored, forwarded] = [acknowledged + count, sent.size + count];
      return until(
        `${count} more are stored and forwarded`,
        () => acknowledged >= stored && sent.size >= forwarded,
      );
    },
    /** For each task one delivery more; resolves once all have come. */
    async finish() {
      isEnding = true;
      changed();
      await within('the last are acknowledged', sender.finish(), said);
      await until('the last are forwarded', () =>
        sender.acknowledged.every((number, task) => (target.last.get(taskId(task)) ?? 0) >= number),
      );
      return {
        acknowledged: sender.acknowledged.reduce((sum, number) => sum + number, 0),
        lost: target.missing.size,
        outOfOrder: target.late(),
        /** Deliveries that came twice, and those of them without the header that says so. */
        repeats,
        unmarked,
        /** How often the receivers responded with each status. */
        responses: Object.fromEntries(sender.responses),
      };
    },
    close() {
      sender.stop();
      target.close();
    },
  };
}
