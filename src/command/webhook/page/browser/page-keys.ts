// The keys of the page. None acts while the user types into a field, or together with Ctrl, Alt or Cmd.

export interface PageKey {
  readonly keys: readonly string[];
  /** As the help names them. */
  readonly label: string;
  readonly what: string;
  readonly run: () => void;
}

export function listenForKeys(keys: readonly PageKey[], isDialogOpen: () => boolean): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || isDialogOpen()) return;
    const { target, key } = event;
    if (isField(target) && key !== 'Escape') return;
    // A button and a link have Enter, and a scrolling box the arrows, for themselves.
    if (key === 'Enter' && target instanceof HTMLElement && target.matches('button, a, select')) return;
    if (/^(?:Arrow|Home|End)/.test(key) && target instanceof HTMLElement && !target.matches('body, tr'))
      return;
    const found = keys.find((one) => one.keys.includes(key));
    if (found === undefined) return;
    event.preventDefault();
    found.run();
  });
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLSelectElement ||
  target instanceof HTMLTextAreaElement;
