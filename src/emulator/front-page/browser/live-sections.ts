// Keeps the state on the front page up to date, and submits its forms without leaving it. The server sends the page as HTML; this
// script only replaces the parts that changed, except the part with the focus.

import { parseHtml } from '#web/browser/parse-html.ts';

const pollMs = 2_000;

/** Replaces the parts that changed. A part with the focus or selected text stays for now. */
function show(page: Document): void {
  for (const part of document.querySelectorAll<HTMLElement>('[data-live]')) {
    const next = page.querySelector(`[data-live="${part.dataset['live']}"]`);
    if (next === null || next.innerHTML === part.innerHTML) continue;
    if (part.contains(document.activeElement) || holdsSelection(part)) continue;
    part.replaceChildren(...[...next.childNodes].map((node) => document.adoptNode(node)));
  }
}

function holdsSelection(part: HTMLElement): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(part, true);
}

/** Shows the server's reply to a form, which screen readers announce. */
function showNotice(page: Document): void {
  const [current, next] = [document.getElementById('notice'), page.getElementById('notice')];
  if (current === null || next === null) return;
  current.className = next.className;
  current.textContent = next.textContent;
}

async function load(init?: RequestInit): Promise<Document> {
  const response = await window.fetch('/', { cache: 'no-store', ...init });
  return parseHtml(await response.text());
}

function keepUpToDate(): void {
  let submissions = 0;

  async function submit(form: HTMLFormElement): Promise<void> {
    submissions += 1;
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value);
    const page = await load({ method: 'POST', body }).catch(() => undefined);
    // The emulator has ended or cannot be reached: the browser reports it.
    if (page === undefined) return form.submit();
    showNotice(page);
    show(page);
  }

  async function poll(): Promise<void> {
    const submissionsBefore = submissions;
    // A hidden page sends no requests. If the emulator has stopped, keep trying: it may be started again.
    const page = document.hidden ? undefined : await load().catch(() => undefined);
    // After a submission meanwhile, this page may show the state before it.
    if (page !== undefined && submissionsBefore === submissions) show(page);
    window.setTimeout(poll, pollMs);
  }

  addEventListener('submit', (event) => {
    if (!(event.target instanceof HTMLFormElement)) return;
    event.preventDefault();
    void submit(event.target);
  });
  window.setTimeout(poll, pollMs);
}

keepUpToDate();
