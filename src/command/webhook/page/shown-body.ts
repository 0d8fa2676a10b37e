// A body as text for the page: all of it, or the beginning of a long one.

import { mostShownBytes, type ShownBody } from './page-messages.ts';

export function toShownBody(body: Uint8Array): ShownBody {
  const isWhole = body.length <= mostShownBytes;
  const part = body.subarray(0, mostShownBytes);
  // A character that the limit cuts in two is left out. It does not make the body binary.
  const options = { stream: !isWhole };
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(part, options);
    return { text, isWhole, isText: true };
  } catch {
    return {
      text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(part, options),
      isWhole,
      isText: false,
    };
  }
}
