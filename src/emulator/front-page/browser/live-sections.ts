// Keeps the state on the front page up to date, and sends its forms without leaving it. What the page shows always comes from
// the server as HTML: this only puts the new parts in place of the old ones, and leaves alone what has the focus.

const pollMs = 2_000;

/** Trusted Types, where the browser has them: what they make is taken wherever text is. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string },
  ): { createHTML(text: string): string };
}
declare const trustedTypes: TrustedTypes | undefined;

// Only this origin's own pages come here.
const policy =
  typeof trustedTypes === 'undefined'
    ? undefined
    : trustedTypes.createPolicy('emulator-page', { createHTML: (text) => text });

function parsePage(text: string): Document {
  return new DOMParser().parseFromString(policy?.createHTML(text) ?? text, 'text/html');
}

/** Replaces what has changed. Text that is selected, and what has the focus, stay for now. */
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

/** The server's reply to a form; screen readers read it out, because it is a status. */
function say(page: Document): void {
  const [here, there] = [document.getElementById('said'), page.getElementById('said')];
  if (here === null || there === null) return;
  here.className = there.className;
  here.textContent = there.textContent;
}

async function load(init?: RequestInit): Promise<Document> {
  const response = await window.fetch('/', { cache: 'no-store', ...init });
  return parsePage(await response.text());
}

/** `show`, but for a look that began before the last form was sent: it shows what was. */
function keepUpToDate(): void {
  let submitted = 0;

  async function submit(form: HTMLFormElement): Promise<void> {
    submitted += 1;
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value);
    const page = await load({ method: 'POST', body }).catch(() => undefined);
    // The emulator has ended, or cannot be reached: let the browser say so.
    if (page === undefined) return form.submit();
    say(page);
    show(page);
  }

  async function poll(): Promise<void> {
    const before = submitted;
    // A hidden page sends no requests. If the emulator has stopped, keep trying: it may be started again.
    const page = document.hidden ? undefined : await load().catch(() => undefined);
    if (page !== undefined && before === submitted) show(page);
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
