import { type RefObject, useEffect } from 'react'
import { useLocation } from 'react-router'
import { findPageRoute } from './page-routes.ts'
import { restoreLostFocus } from './restore-focus.ts'

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

/** Several pages share an entity's name, so the page title is appended. */
function getPageName(heading: HTMLElement | null | undefined, pathname: string): string | undefined {
  const route = findPageRoute(pathname)
  const name = heading?.textContent
  if (!name || !route) return name || route?.title
  const isEntityPage = /:|selected|-board$|^\/root\/./.test(route.path)
  return isEntityPage && !name.toLowerCase().includes(route.title.toLowerCase()) ? `${name} · ${route.title}` : name
}

function formatDocumentTitle(title: string | null | undefined): string {
  return title ? `${title} · Keeper` : 'Keeper'
}
