import { useEffect } from 'react'

/** How long the section is kept in view after the last change of the page height, unless the reader scrolls (ms). */
const settleMs = 2500
const scrollEvents = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const

/** Scrolls to the section with this id and focuses it; does so again whenever `reopenKey` changes. */
export function useOpenSection(id: string | undefined, reopenKey: unknown = id): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed key opens the section again
  useEffect(() => {
    if (!id) return
    const getSection = () => document.getElementById(id)
    const scrollToSection = () => getSection()?.scrollIntoView({ block: 'start' })
    let timer: ReturnType<typeof setTimeout>
    const resizeObserver = new ResizeObserver(() => {
      scrollToSection()
      clearTimeout(timer)
      timer = setTimeout(stop, settleMs)
    })
    resizeObserver.observe(document.body)
    const stop = () => {
      resizeObserver.disconnect()
      clearTimeout(timer)
      for (const eventName of scrollEvents) removeEventListener(eventName, stop)
    }
    for (const eventName of scrollEvents) addEventListener(eventName, stop, { passive: true })
    timer = setTimeout(stop, settleMs)
    scrollToSection()
    if (!getSection()?.contains(document.activeElement)) getSection()?.focus({ preventScroll: true })
    return stop
  }, [id, reopenKey])
}
