// The response that is a file: its bytes, its type and its name. A browser stores it and never shows it, since the consent
// page is of the same origin.

import type { OutgoingResponse } from './response.ts';

export interface FileResult {
  readonly file: {
    readonly name: string;
    readonly contentType: string;
    readonly content: Uint8Array;
  };
}

/** The file name twice: in the characters that a header can hold, and whole (RFC 6266, 4.3). */
function disposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

export function fileResponse(
  { file }: FileResult,
  notes: Readonly<Record<string, string>> | undefined,
): OutgoingResponse {
  return {
    status: 200,
    headers: {
      // A type of another form could not be a header.
      'Content-Type': /^[\w.+-]+\/[\w.+-]+$/.test(file.contentType)
        ? file.contentType
        : 'application/octet-stream',
      'Content-Disposition': disposition(file.name),
      'Content-Security-Policy': 'sandbox',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...notes,
    },
    body: '',
    file: file.content,
  };
}
