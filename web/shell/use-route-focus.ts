import { type RefObject, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { placeAt } from './places.ts'

/** A dialog that closes by going away gives focus back to its opener first. */
const afterDialogsMs = 50

/**
 * The title of the document follows the h1 of the page, and after a change of place the h1 gets the focus, so that
 * a screen reader says where one is. Pages need to do nothing for it but have one h1.
 */
export function useRouteFocus(main: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation()
  const before = useRef(pathname)

  useEffect(() => {
    const page = main.current
    if (!page) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let mayFocus = before.current !== pathname
    before.current = pathname
    if (mayFocus) scrollTo(0, 0)

    function look() {
      const heading = page?.querySelector('h1')
      document.title = titleFor(heading?.textContent || placeAt(pathname)?.title)
      if (!mayFocus || !heading) return
      mayFocus = false
      timer = setTimeout(() => focusHeading(heading), afterDialogsMs)
    }
    function focusHeading(heading: HTMLElement) {
      // What the person went on to do meanwhile comes first.
      const dialog = document.querySelector('[role="dialog"],[role="alertdialog"]')
      if (dialog || page?.contains(document.activeElement)) return
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
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

export function titleFor(title: string | null | undefined): string {
  return title ? `${title} · Keeper` : 'Keeper'
}
