import { type RefObject, useEffect } from 'react'
import { useLocation } from 'react-router'
import { keepFocus } from './keep-focus.ts'
import { placeAt } from './places.ts'

/** A dialog that closes by going away gives focus back to its opener first. */
const afterDialogsMs = 50
/** Of all layouts together: one goes from the one to the other too. */
let shownBefore: string | undefined

/**
 * The title of the document follows the h1 of the page, and after a change of place the h1 gets the focus, so that
 * a screen reader says where one is. Pages need to do nothing for it but have one h1.
 */
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
      // A page that loads may draw its title twice.
      if (given && !given.isConnected && document.activeElement === document.body) mayFocus = true
      if (!mayFocus || !heading) return
      mayFocus = false
      timer = setTimeout(() => focusHeading(page?.querySelector('h1') ?? heading), afterDialogsMs)
    }
    function focusHeading(heading: HTMLElement) {
      // What the person went on to do meanwhile comes first.
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

/** What stands under the name of a thing says too what of it is shown: several pages bear its name. */
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
