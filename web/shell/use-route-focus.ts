import { type RefObject, useEffect } from 'react'
import { useLocation } from 'react-router'
import { keepFocus } from './keep-focus.ts'
import { placeAt } from './places.ts'

/** A closing dialog restores focus to its opener first (ms). */
const afterDialogsMs = 50
/** Shared by all layouts, because navigation can switch layouts. */
let shownBefore: string | undefined

/** Sets the document title from the page's h1 and focuses the h1 after navigation, so that screen readers announce it. */
export function useRouteFocus(main: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation()

  useEffect(() => (main.current ? keepFocus(main.current) : undefined), [main])

  useEffect(() => {
    const page = main.current
    if (!page) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let mayFocus = shownBefore !== undefined && shownBefore !== pathname
    shownBefore = pathname
    let given: HTMLElement | undefined
    if (mayFocus) scrollTo(0, 0)

    function look() {
      const heading = page?.querySelector('h1')
      document.title = titleFor(nameOf(heading, pathname))
      // A loading page may replace its h1.
      if (given && !given.isConnected && document.activeElement === document.body) mayFocus = true
      if (!mayFocus || !heading) return
      mayFocus = false
      timer = setTimeout(() => focusHeading(page?.querySelector('h1') ?? heading), afterDialogsMs)
    }
    function focusHeading(heading: HTMLElement) {
      // Don't steal focus the person has already moved.
      const dialog = document.querySelector('[role="dialog"],[role="alertdialog"]')
      if (dialog || page?.contains(document.activeElement)) return
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
      given = heading
    }
    look()
    const observer = new MutationObserver(look)
    observer.observe(page, { childList: true, subtree: true, characterData: true })
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [main, pathname])
}

/** Several pages share an entity's name, so the page title is appended. */
function nameOf(heading: HTMLElement | null | undefined, pathname: string): string | undefined {
  const place = placeAt(pathname)
  const name = heading?.textContent
  if (!name || !place) return name || place?.title
  const ofThing = /:|selected|-board$|^\/root\/./.test(place.path)
  return ofThing && !name.toLowerCase().includes(place.title.toLowerCase()) ? `${name} · ${place.title}` : name
}

function titleFor(title: string | null | undefined): string {
  return title ? `${title} · Keeper` : 'Keeper'
}
