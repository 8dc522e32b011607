import { type RefObject, useEffect } from 'react'
import { useLocation } from 'react-router'
import { focusFirstCandidate, getSiblings } from '#web/ui/overlays/use-dialog-focus.ts'
import { findPageRoute } from './page-routes.ts'

/** Delay before the heading gets focus, so that a closing dialog can return focus to its opener first (ms). */
const dialogCloseDelayMs = 50
/** Shared by all layouts, because navigation can switch layouts. */
let previousPath: string | undefined

/** Sets the document title from the page's h1 and focuses the h1 after navigation, so that screen readers announce it. */
export function useRouteFocus(main: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation()

  useEffect(() => (main.current ? restoreLostFocus(main.current) : undefined), [main])

  useEffect(() => {
    const page = main.current
    if (!page) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let shouldFocus = previousPath !== undefined && previousPath !== pathname
    previousPath = pathname
    let focusedHeading: HTMLElement | undefined
    if (shouldFocus) scrollTo(0, 0)

    function update() {
      const heading = page?.querySelector('h1')
      // A page that goes on loading behind the app lock must not name itself.
      if (!('locked' in document.documentElement.dataset))
        document.title = formatDocumentTitle(getPageName(heading, pathname))
      // A loading page may replace its h1.
      if (focusedHeading && !focusedHeading.isConnected && document.activeElement === document.body) shouldFocus = true
      if (!shouldFocus || !heading) return
      shouldFocus = false
      timer = setTimeout(() => focusHeading(page?.querySelector('h1') ?? heading), dialogCloseDelayMs)
    }
    function focusHeading(heading: HTMLElement) {
      // Don't steal focus the person has already moved.
      const dialog = document.querySelector('[role="dialog"],[role="alertdialog"]')
      if (dialog || page?.contains(document.activeElement)) return
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
      focusedHeading = heading
    }
    update()
    const observer = new MutationObserver(update)
    observer.observe(page, { childList: true, subtree: true, characterData: true })
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [main, pathname])
}

const entityPathPattern = /:|selected|-board$|^\/root\/./

/** Several pages share an entity's name, so the page title is appended. */
function getPageName(heading: HTMLElement | null | undefined, pathname: string): string | undefined {
  const route = findPageRoute(pathname)
  const name = (heading?.querySelector('[data-title]') ?? heading)?.textContent
  if (!name || !route) return name || route?.title
  const isEntityPage = entityPathPattern.test(route.path)
  return isEntityPage && !name.toLowerCase().includes(route.title.toLowerCase()) ? `${name} · ${route.title}` : name
}

function formatDocumentTitle(title: string | null | undefined): string {
  return title ? `${title} · Keeper` : 'Keeper'
}

/** Lets the page and closing dialogs restore focus first (ms). */
const restoreDelayMs = 80

/** Focuses the replacement of a removed element, else a sibling, else the title. @returns a cleanup function */
function restoreLostFocus(page: HTMLElement): () => void {
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
    // The timeout runs after the form has rendered its errors.
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
