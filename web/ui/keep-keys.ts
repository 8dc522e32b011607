/**
 * Keys that belong to something else reach no key handler: those for the open list of a select, and those for an input
 * method that composes a word. First at the window, since dialogs listen for Escape at the document.
 */
export function keepKeys(): void {
  // Browsers that do not know it keep the keys of an open list to themselves.
  const knowsOpenLists = CSS.supports('selector(:open)')
  const isForList = ({ target }: KeyboardEvent) =>
    knowsOpenLists && target instanceof Element && target.closest('select')?.matches(':open')
  const keep = (event: KeyboardEvent) => {
    if (isComposing(event) || isForList(event)) event.stopImmediatePropagation()
  }
  addEventListener('keydown', keep, { capture: true })
}

/** WebKit reports the Enter that ends a composition when `isComposing` is false again, with the key code 229. */
const isComposing = (event: KeyboardEvent) => event.isComposing || event.keyCode === 229
