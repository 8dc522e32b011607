/**
 * The list of a select takes every key while it is open: none goes on to the dialog, the frame or the page behind it.
 * Before all others, since dialogs hear Escape at the document before what is in them does.
 */
export function keepKeysOfLists(): void {
  // Browsers that do not know it keep the keys of an open list to themselves.
  if (!CSS.supports('selector(:open)')) return
  const keep = (event: KeyboardEvent) => {
    if (event.target instanceof Element && event.target.closest('select')?.matches(':open')) event.stopPropagation()
  }
  addEventListener('keydown', keep, { capture: true })
}
