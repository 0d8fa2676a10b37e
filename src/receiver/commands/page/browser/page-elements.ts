// Finds and creates elements. Text is only ever inserted as text, because strangers write the deliveries.

/** Returns the element of the page with this id. A missing element is a mistake in wm. */
export function byId<E extends Element>(id: string, type: new () => E): E {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`The page has no ${type.name} #${id}`);
  return element;
}

export function create<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[T] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...content);
  return element;
}

/** Sets the text only if it has changed: a screen reader may read it again. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Fills a description list with terms and values, each pair in its own element. */
export function describe(
  list: Element,
  entries: readonly (readonly [term: Node | string, value: Node | string])[],
): void {
  list.replaceChildren(
    ...entries.map(([term, value]) => create('div', {}, create('dt', {}, term), create('dd', {}, value))),
  );
}
