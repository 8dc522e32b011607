/*
 * What single keys do on the page that is open. A page marks the items of its list with `data-item` and says on its
 * buttons which key presses them (`aria-keyshortcuts`). Each answers whether there was anything to do.
 */

export function focusSearch(): boolean {
  return focus(document.querySelector<HTMLElement>('main [role="searchbox"]'))
}

/** The last one is of the innermost list: a tab's own comes after the page's. */
export function pressNew(): boolean {
  return press([...document.querySelectorAll<HTMLElement>('main [aria-keyshortcuts="N"]:not(:disabled)')].at(-1))
}

/** Stays at the first and the last; from outside the list it begins with the first. */
export function focusItem(step: 1 | -1): boolean {
  const items = [...document.querySelectorAll<HTMLElement>('main [data-item]')]
  const at = items.findIndex((item) => item.contains(document.activeElement))
  return focus(items[at < 0 ? 0 : at + step]?.querySelector<HTMLElement>('a[href], button:not(:disabled)'))
}

export function pressInItem(key: 'R' | 'E'): boolean {
  const item = document.activeElement?.closest('[data-item]')
  return press(item?.querySelector<HTMLElement>(`[aria-keyshortcuts="${key}"]:not(:disabled)`))
}

function focus(element: HTMLElement | null | undefined): boolean {
  element?.focus()
  return Boolean(element)
}

function press(element: HTMLElement | undefined | null): boolean {
  element?.click()
  return Boolean(element)
}
