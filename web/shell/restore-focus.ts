import { focusFirstCandidate, getSiblings } from '#web/ui/overlays/next-focus.ts'

/** Lets the page and closing dialogs restore focus first (ms). */
const restoreDelayMs = 80

/** Focuses the replacement of a removed element, else a sibling, else the title. @returns a cleanup function */
export function restoreLostFocus(page: HTMLElement): () => void {
  let lastFocused: HTMLElement | null = null
  let lastPath = ''
  let timer: ReturnType<typeof setTimeout> | undefined

  function handleFocusIn({ target }: FocusEvent) {
    lastFocused = target instanceof HTMLElement ? target : null
    lastPath = location.pathname
  }
  function handleFocusOut() {
    // Browsers send focusout for removals too; only a connected element was left on purpose.
    setTimeout(() => {
      if (lastFocused?.isConnected && document.activeElement !== lastFocused) lastFocused = null
    })
  }
  function handleSubmit({ target }: SubmitEvent) {
    // By now the form has rendered its errors.
    setTimeout(() => (target as Element).querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  const observer = new MutationObserver((records) => {
    const removedElement = lastFocused
    if (!removedElement || removedElement.isConnected) return
    // A new page focuses its own title.
    if (location.pathname !== lastPath) {
      lastFocused = null
      return
    }
    const removal = records.findLast(
      ({ target, removedNodes }) =>
        target.isConnected && [...removedNodes].some((node) => node.contains(removedElement)),
    )
    if (!removal) return
    const replacements = records.flatMap(({ target, addedNodes }) => (target === removal.target ? [...addedNodes] : []))
    const nextSiblings = getSiblings(removal.nextSibling, 'nextSibling')
    const previousSiblings = getSiblings(removal.previousSibling, 'previousSibling')
    const ancestors: Node[] = []
    for (let ancestor: Node | null = removal.target; ancestor && ancestor !== page; ancestor = ancestor.parentNode)
      ancestors.push(ancestor)
    lastFocused = null
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (document.activeElement === document.body && location.pathname === lastPath)
        focusFirstCandidate(
          removedElement.matches('h1') ? [] : [...replacements, ...nextSiblings, ...previousSiblings, ...ancestors],
        )
    }, restoreDelayMs)
  })
  page.addEventListener('focusin', handleFocusIn)
  page.addEventListener('focusout', handleFocusOut)
  // Dialogs are outside the page element.
  document.addEventListener('submit', handleSubmit)
  observer.observe(page, { childList: true, subtree: true })
  return () => {
    clearTimeout(timer)
    page.removeEventListener('focusin', handleFocusIn)
    page.removeEventListener('focusout', handleFocusOut)
    document.removeEventListener('submit', handleSubmit)
    observer.disconnect()
  }
}
