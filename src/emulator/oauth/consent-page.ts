// The consent page and its error page: plain HTML without scripts or external styles, accessible to screen readers, and
// never shown in a frame.

import type { Scope } from '../../contract/scope.ts';
import { escapeHtml } from '../html/escape.ts';
import type { OutgoingResponse } from '../http/response.ts';

const style = `
  :root { color-scheme: light dark; }
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 3rem auto; padding: 0 1rem; }
  fieldset { margin: 1rem 0; border: 1px solid; border-radius: .3rem; }
  label { display: block; padding: .2rem 0; }
  button { font: inherit; padding: .5rem 1.5rem; margin-right: .5rem; }
  footer { margin-top: 3rem; border-top: 1px solid; font-size: .9rem; }`;

const footer = 'This page is from an emulator on this computer. It does not sign you in to the real service.';

/** `formTargets`: origins that a form may be sent to; browsers apply `form-action` to the redirects that follow, too. */
export function htmlPage(
  status: number,
  title: string,
  content: string,
  formTargets: readonly string[] = [],
): OutgoingResponse {
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `form-action ${formTargets.length > 0 ? ["'self'", ...formTargets].join(' ') : "'none'"}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy.join('; '),
      'Cache-Control': 'no-store',
      // Hides the address from other sites. With no-referrer, browsers would send `Origin: null` for our own form as well.
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    },
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${style}
</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
<footer><p>${footer}</p></footer>
</body>
</html>
`,
  };
}

export function errorPage(what: string, status = 400): OutgoingResponse {
  return { ...htmlPage(status, 'Cannot sign in', `<p>${escapeHtml(what)}</p>`), problem: what };
}

export interface Choice {
  readonly userId: string;
  readonly name: string;
  readonly account: string;
}

export interface ConsentPage {
  readonly application: string;
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  readonly choices: readonly Choice[];
  readonly ticket: string;
}

/** A policy cannot name an IPv6 address, so it allows the scheme. */
function formTarget(redirectUri: string): string {
  const { origin, protocol, hostname } = new URL(redirectUri);
  return hostname.startsWith('[') ? protocol : origin;
}

export function consentPage({
  application,
  redirectUri,
  scopes,
  choices,
  ticket,
}: ConsentPage): OutgoingResponse {
  const radios = choices.map(
    ({ userId, name, account }, index) =>
      `<label><input type="radio" name="user" value="${escapeHtml(userId)}"${index === 0 ? ' checked' : ''}> ` +
      `${escapeHtml(name)}, ${escapeHtml(account)}</label>`,
  );
  const content = `<p><strong>${escapeHtml(application)}</strong> wants to access an account on your behalf.</p>
<form method="post" action="/oauth2/authorize/v4">
<input type="hidden" name="ticket" value="${escapeHtml(ticket)}">
<fieldset>
<legend>Account</legend>
${radios.join('\n')}
</fieldset>
<p>Requested scopes:</p>
<ul>
${scopes.map((scope) => `<li>${escapeHtml(scope)}</li>`).join('\n')}
</ul>
<p>You will be redirected to <code>${escapeHtml(redirectUri)}</code>.</p>
<p>
<button type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny">Deny</button>
</p>
</form>`;
  return htmlPage(200, `Allow ${application}?`, content, [formTarget(redirectUri)]);
}
