/* Single-key actions on elements with `data-item` or `aria-keyshortcuts`; they return whether there was one. */

export function focusSearch(): boolean {
  return focusElement(document.querySelector<HTMLElement>('main [role="searchbox"]'))
}

/** The last match belongs to the innermost list, such as the one of a tab. */
export function clickNewButton(): boolean {
  return clickElement([...document.querySelectorAll<HTMLElement>('main [aria-keyshortcuts="N"]:not(:disabled)')].at(-1))
}

/** Stops at both ends; from outside the list, starts with the first item. */
export function focusItem(step: 1 | -1): boolean {
  const items = [...document.querySelectorAll<HTMLElement>('main [data-item]')]
  const index = items.findIndex((item) => item.contains(document.activeElement))
  return focusElement(items[index < 0 ? 0 : index + step]?.querySelector<HTMLElement>('a[href], button:not(:disabled)'))
}

export function clickItemButton(key: 'R' | 'E'): boolean {
  const item = document.activeElement?.closest('[data-item]')
  return clickElement(item?.querySelector<HTMLElement>(`[aria-keyshortcuts="${key}"]:not(:disabled)`))
}

function focusElement(element: HTMLElement | null | undefined): boolean {
  element?.focus()
  return Boolean(element)
}

function clickElement(element: HTMLElement | undefined | null): boolean {
  element?.click()
  return Boolean(element)
}
