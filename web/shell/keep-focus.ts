import { focusFirstOf, siblings } from '#web/ui/next-focus.ts'

/** Lets the page and closing dialogs restore focus first (ms). */
const afterOthersMs = 80

/**
 * Keeps focus from being lost: when the focused element is removed, focuses its replacement, else the next or previous
 * sibling, else the page title. A rejected form focuses its first invalid field. @returns a cleanup function
 */
export function keepFocus(page: HTMLElement): () => void {
  let last: HTMLElement | null = null
  let at = ''
  let timer: ReturnType<typeof setTimeout> | undefined

  function came({ target }: FocusEvent) {
    last = target instanceof HTMLElement ? target : null
    at = location.pathname
  }
  function went() {
    // Browsers send focusout for removals too; only a connected element was left on purpose.
    setTimeout(() => {
      if (last?.isConnected && document.activeElement !== last) last = null
    })
  }
  function sent({ target }: SubmitEvent) {
    // By now the form has rendered its errors.
    setTimeout(() => (target as Element).querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  const observer = new MutationObserver((records) => {
    const gone = last
    if (!gone || gone.isConnected) return
    // A new page focuses its own title.
    if (location.pathname !== at) {
      last = null
      return
    }
    const cut = records.findLast(
      ({ target, removedNodes }) => target.isConnected && [...removedNodes].some((node) => node.contains(gone)),
    )
    if (!cut) return
    const instead = records.flatMap(({ target, addedNodes }) => (target === cut.target ? [...addedNodes] : []))
    const after = siblings(cut.nextSibling, 'nextSibling')
    const before = siblings(cut.previousSibling, 'previousSibling')
    const around: Node[] = []
    for (let box: Node | null = cut.target; box && box !== page; box = box.parentNode) around.push(box)
    last = null
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (document.activeElement === document.body && location.pathname === at)
        focusFirstOf(gone.matches('h1') ? [] : [...instead, ...after, ...before, ...around])
    }, afterOthersMs)
  })
  page.addEventListener('focusin', came)
  page.addEventListener('focusout', went)
  // Dialogs are outside the page element.
  document.addEventListener('submit', sent)
  observer.observe(page, { childList: true, subtree: true })
  return () => {
    clearTimeout(timer)
    page.removeEventListener('focusin', came)
    page.removeEventListener('focusout', went)
    document.removeEventListener('submit', sent)
    observer.disconnect()
  }
}
