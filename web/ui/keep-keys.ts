/**
 * Stops key events that belong to an open select list or an input method. Listens on window, because dialogs
 * listen for Escape on document.
 */
export function keepKeys(): void {
  // Browsers without :open keep the keys of an open list to themselves.
  const knowsOpenLists = CSS.supports('selector(:open)')
  const isForList = ({ target }: KeyboardEvent) =>
    knowsOpenLists && target instanceof Element && target.closest('select')?.matches(':open')
  const keep = (event: KeyboardEvent) => {
    if (isComposing(event) || isForList(event)) event.stopImmediatePropagation()
  }
  addEventListener('keydown', keep, { capture: true })
}

/** WebKit clears `isComposing` before the Enter that ends a composition, but reports key code 229. */
const isComposing = (event: KeyboardEvent) => event.isComposing || event.keyCode === 229
