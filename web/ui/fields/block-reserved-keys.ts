/** For keys of an open select list or an input method. On window, because dialogs listen for Escape on document. */
export function blockReservedKeys(): void {
  // Browsers without :open keep the keys of an open list to themselves.
  const supportsOpenSelector = CSS.supports('selector(:open)')
  const isForOpenList = ({ target }: KeyboardEvent) =>
    supportsOpenSelector && target instanceof Element && target.closest('select')?.matches(':open')
  const stopReservedKey = (event: KeyboardEvent) => {
    if (isComposing(event) || isForOpenList(event)) event.stopImmediatePropagation()
  }
  addEventListener('keydown', stopReservedKey, { capture: true })
}

/** WebKit clears `isComposing` before the Enter that ends a composition, but reports key code 229. */
const isComposing = (event: KeyboardEvent) => event.isComposing || event.keyCode === 229
