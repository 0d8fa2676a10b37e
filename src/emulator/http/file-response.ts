// The response with a file. A browser must save it, not show it: a page in it would have the origin of the consent page.

import type { OutgoingResponse } from './response.ts';

export interface FileResult {
  readonly file: {
    readonly name: string;
    readonly contentType: string;
    readonly content: Uint8Array;
  };
}

/** The file name twice: in ASCII for old clients, and complete (RFC 6266, 4.3). */
function disposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
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
      // Another form might not be valid in a header.
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
