import { focusFirstOf, siblings } from '#web/ui/next-focus.ts'

/** The page itself, and a dialog that closes, come first. */
const afterOthersMs = 80

/**
 * Focus is never lost: when what has it goes away (an entry is deleted, a button becomes a form), it goes to what came
 * in its place, else to the next thing, else to the one before, else to the title of the page. A form that is sent with
 * something wrong in it leads to the first field that is.
 * @returns what ends it
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
    // Who leaves something that stays, by a click elsewhere, wanted to; the browser says nothing else when it is taken away.
    setTimeout(() => {
      if (last?.isConnected && document.activeElement !== last) last = null
    })
  }
  function sent({ target }: SubmitEvent) {
    // Whoever drew the form has said by now what is wrong with it.
    setTimeout(() => (target as Element).querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  const observer = new MutationObserver((records) => {
    const gone = last
    if (!gone || gone.isConnected) return
    // Another page puts the focus on its title.
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
  // Dialogs lie beside the page.
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
