// Shows the top of the page: the connection, current problems and the counters. Screen readers get a summary every ten seconds instead of
// a message for each delivery.

import { sanitizeJson } from '#terminal/sanitize.ts';
import type { Counters, PageUpdate, Problems, StuckTarget } from '../page-messages.ts';
import { byId, create, describe, setText } from './page-elements.ts';
import type { ConnectionState } from './page-server.ts';
import { stuckText, summaryText } from './row-words.ts';

const summaryMs = 10_000;

export function createPageStatus(timeOf: (time: number) => string, command: string) {
  const connectionTexts: Readonly<Record<ConnectionState, string>> = {
    open: 'Live',
    lost: 'Connection lost. Trying again.',
    closed: `This address has expired. ${command} prints the current one.`,
  };
  let latest: Counters | undefined;
  let summarized: Counters | undefined;
  window.setInterval(() => {
    if (summarized === undefined || latest === undefined) return;
    const text = summaryText(summarized, latest);
    summarized = latest;
    if (text !== '') setText(byId('summary', HTMLElement), text);
  }, summaryMs);
  return {
    show({ scope, counters, problems, stuck }: PageUpdate) {
      latest = counters;
      summarized ??= latest;
      showCounters(counters);
      showProblems(problems, timeOf);
      showScope(scope);
      showStuck(stuck, timeOf);
      // A sink itself hands out deliveries again when they are due.
      byId('retrying', HTMLElement).hidden = stuck.length === 0 || scope !== '';
    },
    showConnection(state: ConnectionState) {
      const element = byId('connection', HTMLElement);
      element.dataset['state'] = state;
      setText(element, connectionTexts[state]);
    },
  };
}

function showCounters(counters: Counters): void {
  const { received, forwarded, unfinished, failedAttempts, dead, rejected, rejectedFor, lostTrust } =
    counters;
  const number = (count: number, isBad = false, ...details: readonly Node[]) =>
    create('span', isBad ? { class: 'bad' } : {}, count.toLocaleString('en'), ...details);
  const reasons = rejectedFor === '' ? [] : [create('small', {}, ` ${rejectedFor}`)];
  describe(byId('counters', HTMLElement), [
    ['Received', number(received)],
    ['Forwarded', number(forwarded)],
    ['Unfinished', number(unfinished)],
    ['Failed attempts', number(failedAttempts, failedAttempts > 0)],
    ['Dead letters', number(dead, dead > 0)],
    // A request that cannot have been a delivery, such as a visit with a browser, is harmless.
    ['Rejected', number(rejected, lostTrust > 0, ...reasons)],
  ]);
}

function showScope(scope: string): void {
  const element = byId('scope', HTMLElement);
  element.hidden = scope === '';
  setText(element, sanitizeJson(scope));
}

/** Not an alert, because the numbers change all the time. */
function showStuck(stuck: readonly StuckTarget[], timeOf: (time: number) => string): void {
  byId('stuck', HTMLElement).replaceChildren(
    ...stuck.map((row) => create('p', {}, sanitizeJson(stuckText(row, timeOf)))),
  );
}

/** Changes only a text that differs: a screen reader would read it again. */
function showProblems({ storage, stale, targets }: Problems, timeOf: (time: number) => string): void {
  const texts = [
    storage &&
      `Deliveries cannot be stored: ${storage}. The service gets 503 and sends each of them again later.`,
    stale &&
      `The sink does not respond: ${stale.why}. This page is from ${timeOf(stale.since)}, and continues by itself.`,
    ...targets.map(({ target, fault }) => `${target} cannot be reached; its deliveries wait: ${fault}`),
  ].filter((text) => text !== null);
  const element = byId('problems', HTMLElement);
  if (texts.join('\n') === [...element.children].map(({ textContent }) => textContent).join('\n')) return;
  element.replaceChildren(...texts.map((text) => create('p', {}, text)));
}
