// Shows the warnings of `wm webhook listen`. Each kind appears once, or once an hour if it may suspend the webhook, so that a sender with
// a wrong secret cannot fill the terminal or a log.

import { isIP } from 'node:net';
import { formatValue } from '#contract/schema.ts';
import type { Activity, RejectionReason } from '../core/intake/delivery-journal.ts';
import { printTargetName } from './listen-view.ts';

const resent = 'After three failed attempts the service suspends the webhook.';

const rejections: Readonly<Record<RejectionReason, string | undefined>> = {
  'bad-signature': `A request has a signature that matches none of the secrets: it comes from elsewhere, or the webhook has another secret. ${resent}`,
  'no-signature': `A request has no signature, so anyone may have sent it. If the webhook has no secret, add --unsigned. ${resent}`,
  'bad-challenge': 'A handshake asked wm to sign something that is not a challenge. wm did not sign it.',
  forgeable:
    'The body of a signed request is only letters and digits. Anyone who saw a handshake may know its signature, so wm neither stores nor forwards it.',
  path: `A request is for a path other than --path. ${resent}`,
  address: `A request came from an address that --allow-from does not name. It was sent from FROM. ${resent}`,
  'web-page':
    'A web page sent a request: only a browser sends the header Origin or Sec-Fetch-Site. wm did not store it.',
  host: `An unsigned request is for the host FROM, not for this machine: perhaps a web page sent it. wm did not store it. To accept that host: --public-url URL. If the service sent it, it suspends the webhook.`,
  busy: `There are too many connections, or too many large requests at once. ${resent}`,
  silent:
    'There are too many connections, and some of them send nothing. wm closes those, and accepts deliveries as before.',
  method: undefined,
  'too-large': 'A request is larger than any delivery.',
  malformed: undefined,
  // A fault of the storage is reported instead.
  'not-stored': undefined,
};

const makeRoom = 'Free some space on that disk: wm then continues by itself.';

/** Looks for the system's error code, which each description contains. */
const isOutOfSpace = (fault: string) => /\b(?:ENOSPC|EDQUOT)\b/.test(fault);

const hourMs = 3_600_000;

/** `replay`, `log`: the commands that send dead letters again, and that show a delivery. */
export function createWarnings(replay: string, log: (sequence: number) => string) {
  const shownAt = new Map<string, number>();
  /** `time`: set for a warning that may repeat after an hour. */
  const once = (kind: string, text: string | undefined, time = 0) => {
    const last = shownAt.get(kind);
    if (text === undefined || (last !== undefined && time - last < hourMs)) return undefined;
    shownAt.set(kind, time);
    return text;
  };
  return (activity: Activity) => {
    if (activity.kind === 'rejected') {
      const { reason, status, time, from = '' } = activity;
      const text = rejections[reason]?.replace('FROM', () => (isIP(from) === 0 ? formatValue(from) : from));
      const isGrave = text?.endsWith(resent) === true;
      return once(
        reason,
        text &&
          (status === 0
            ? `${text} wm ends such connections, and from now on only counts them.`
            : `${text} wm responds with ${status}, and ${isGrave ? 'for an hour' : 'from now on'} only counts such requests.`),
        isGrave ? time : undefined,
      );
    }
    if (activity.kind === 'storage')
      return activity.fault === undefined
        ? 'Deliveries can be stored again.'
        : `Cannot store deliveries: ${activity.fault}. wm responds with 503 until it can. ${resent}${isOutOfSpace(activity.fault) ? ` ${makeRoom}` : ''}`;
    if (activity.kind === 'sink')
      return activity.fault === undefined
        ? 'Deliveries can be forwarded again.'
        : `Cannot forward deliveries: ${activity.fault}. They stay in the sink, and wm tries again.`;
    if (activity.kind === 'target')
      return activity.fault === undefined
        ? `${activity.target} can be reached again.`
        : `${activity.target} cannot be reached (${activity.fault}). wm stores deliveries, and forwards them in order once it can be reached.`;
    // The targets of this run have it, or have given up.
    if (activity.kind === 'attempt' && activity.outcome === 'no-target' && activity.target !== '')
      return once(
        'no-target',
        `Delivery #${activity.sequence} also waited for a target of an earlier run that this run does not have, and is not sent there. From now on wm only counts such deliveries; wm webhook replay can still send them. To see it: ${log(activity.sequence)}`,
      );
    if (activity.kind === 'attempt' && activity.verdict === 'dead' && activity.target === printTargetName)
      return once(
        'not-printable',
        `Delivery #${activity.sequence} cannot be printed: ${activity.detail ?? activity.outcome}. It is a dead letter, and from now on wm only counts such deliveries. To see it: ${log(activity.sequence)}`,
      );
    if (activity.kind === 'attempt' && activity.verdict === 'dead')
      return once(
        'dead',
        `Delivery #${activity.sequence} is a dead letter: wm has given up on it. To send the dead letters again: ${replay}`,
      );
    return undefined;
  };
}
