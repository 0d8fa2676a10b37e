// Shows the details of one delivery: its origin, its outcome, body and headers, and the button that replays it.

import { reindentJson } from '#contract/reindent-json.ts';
import { sanitizeJson } from '#terminal/sanitize.ts';
import type { DeliveryDetails, ShownAttempt } from '../page-messages.ts';
import { byId, create, describe, setText } from './page-elements.ts';
import type { PageServer } from './page-server.ts';
import {
  bytesText,
  countText,
  durationText,
  eventNames,
  eventText,
  stateText,
  verdictNames,
} from './row-words.ts';

export function createDeliveryPanel(
  server: PageServer,
  timeOf: (time: number) => string,
  replayProblem: string | undefined,
  onClose: () => void,
) {
  const panel = byId('details', HTMLElement);
  const title = byId('details-title', HTMLElement);
  const replayButton = byId('replay', HTMLButtonElement);
  const replayState = byId('replay-state', HTMLElement);
  const copyButton = byId('copy', HTMLButtonElement);
  const split = panel.parentElement;
  let current: number | undefined;
  let isReading = false;
  let isStale = false;
  let isSending = false;
  let bodyText = '';

  /** Sends one request at a time, however often the delivery changes. */
  async function read(sequence: number, isNew: boolean): Promise<void> {
    isStale = !isNew && isReading;
    if (isStale) return;
    isReading = true;
    const result = await server.details(sequence);
    if (current !== sequence) return;
    isReading = false;
    if ('error' in result) setText(replayState, result.error);
    else {
      showFacts(result, timeOf);
      if (isNew) {
        bodyText = result.body.text;
        showContent(result);
      }
    }
    if (isStale) void read(sequence, false);
  }

  async function replay(): Promise<void> {
    const sequence = current;
    if (sequence === undefined || isSending) return;
    if (replayProblem !== undefined) return setText(replayState, replayProblem);
    setSending(true);
    setText(replayState, 'Sending…');
    const result = await server.replay(sequence);
    setSending(false);
    if (current !== sequence) return;
    const [attempts, problem] = 'error' in result ? [[], result.error] : [result.attempts, result.problem];
    replayState.replaceChildren(...attempts.map((attempt) => create('div', {}, ...replayResult(attempt))));
    if (problem !== '')
      replayState.append(
        create('div', { class: 'state state-failed' }, `Not replayed: ${sanitizeJson(problem)}`),
      );
    void read(sequence, false);
  }

  function setSending(sending: boolean): void {
    isSending = sending;
    replayButton.setAttribute('aria-disabled', String(sending));
  }

  function close(): void {
    if (current === undefined) return;
    current = undefined;
    isReading = false;
    panel.hidden = true;
    split?.classList.remove('open');
    onClose();
  }

  if (replayProblem !== undefined) {
    replayButton.setAttribute('aria-disabled', 'true');
    replayButton.title = replayProblem;
  }
  replayButton.addEventListener('click', () => void replay());
  byId('close-details', HTMLButtonElement).addEventListener('click', close);
  copyButton.addEventListener('click', () => {
    navigator.clipboard.writeText(bodyText).then(
      () => setText(replayState, 'Copied.'),
      () => setText(replayState, 'The browser did not allow it. Select the text instead.'),
    );
  });

  return {
    open(sequence: number) {
      if (current === sequence) return;
      current = sequence;
      isReading = false;
      panel.hidden = false;
      split?.classList.add('open');
      panel.scrollTop = 0;
      setText(title, `#${sequence}`);
      replayState.replaceChildren();
      byId('download', HTMLAnchorElement).href = server.bodyUrl(sequence);
      void read(sequence, true);
    },
    refresh() {
      if (current !== undefined) void read(current, false);
    },
    close,
    replay: () => void replay(),
    focus: () => title.focus(),
    sequence: () => current,
  };
}

function showFacts({ row, path, attempts }: DeliveryDetails, timeOf: (time: number) => string): void {
  setText(byId('details-title', HTMLElement), `#${row.sequence} ${sanitizeJson(eventText(row))}`);
  const task = [row.title, ...row.subjects].filter(Boolean).join(', ');
  describe(byId('facts', HTMLElement), [
    ['State', create('span', { class: `state state-${row.state}` }, sanitizeJson(stateText(row)))],
    [
      'Received',
      create('time', { datetime: new Date(row.receivedAt).toISOString() }, dateOf(row.receivedAt)),
    ],
    ...(row.events.length > 1 || row.moreEvents
      ? ([['Events', sanitizeJson(eventNames(row))]] as const)
      : []),
    ['Task', task === '' ? 'none named' : sanitizeJson(task)],
    ['Signature', row.signature === 'valid' ? 'valid' : 'not checked: unsigned webhooks are accepted'],
    ['Duplicates', row.duplicates === 0 ? 'none' : `sent again ${countText(row.duplicates, 'time')}`],
    ['Path', sanitizeJson(path)],
    ['Body', bytesText(row.bytes)],
  ]);
  byId('attempts', HTMLElement).replaceChildren(
    attempts.length === 0 ? create('p', { class: 'muted' }, 'None yet.') : attemptTable(attempts, timeOf),
  );
}

function showContent({ body: { text, isWhole, isText }, headers }: DeliveryDetails): void {
  const pretty = isWhole ? reindentJson(text) : undefined;
  setText(byId('body', HTMLElement), sanitizeJson(pretty ?? text));
  const remarks = [
    isWhole ? '' : 'Only the beginning is shown.',
    isText ? '' : 'It is not UTF-8; the bytes that are not are shown as \ufffd.',
    isWhole && text !== '' && pretty === undefined ? 'It is not JSON.' : '',
    text === '' ? 'It is empty.' : '',
  ];
  setText(byId('body-note', HTMLElement), remarks.filter(Boolean).join(' '));
  const rows = headers.map(([name, value]) => rowOf('td', [[sanitizeJson(name)], [sanitizeJson(value)]]));
  byId('headers', HTMLElement).replaceChildren(
    create('table', { 'aria-label': 'Headers' }, create('tbody', {}, ...rows)),
  );
}

const rowOf = (tag: 'td' | 'th', cells: readonly (readonly (Node | string)[])[]) =>
  create('tr', {}, ...cells.map((cell) => create(tag, tag === 'th' ? { scope: 'col' } : {}, ...cell)));

const dateOf = (time: number) =>
  new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

function replayResult({ target, outcome, milliseconds, verdict }: ShownAttempt): readonly (Node | string)[] {
  const words = `${verdictNames[verdict]}, ${sanitizeJson(outcome)}`;
  return [
    create('span', { class: `state state-${verdict}` }, words),
    ` in ${durationText(milliseconds)} by ${sanitizeJson(target)}`,
  ];
}

function attemptTable(attempts: readonly ShownAttempt[], timeOf: (time: number) => string): HTMLTableElement {
  const rows = attempts.map(({ time, target, attempt, outcome, milliseconds, verdict, detail }) =>
    rowOf('td', [
      [timeOf(time)],
      [sanitizeJson(attempt === 0 ? `${target} (replay)` : target)],
      [
        create('span', { class: `state state-${verdict}` }, sanitizeJson(outcome)),
        ` ${verdictNames[verdict]}, ${durationText(milliseconds)}`,
        ...(detail === '' ? [] : [create('div', { class: 'detail' }, sanitizeJson(detail))]),
      ],
    ]),
  );
  const head = create('thead', {}, rowOf('th', [['Time'], ['Target'], ['Result']]));
  return create('table', { 'aria-label': 'Attempts' }, head, create('tbody', {}, ...rows));
}
