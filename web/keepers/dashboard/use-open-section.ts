import { useEffect } from 'react'

/** How long the section stays in view while content above it loads, unless the reader scrolls (ms). */
const settleMs = 2500

export function useOpenSection(id: string | undefined): void {
  useEffect(() => {
    if (!id) return
    const getSection = () => document.getElementById(id)
    const scrollToSection = () => getSection()?.scrollIntoView({ block: 'start' })
    const resizeObserver = new ResizeObserver(scrollToSection)
    resizeObserver.observe(document.body)
    const stop = () => {
      resizeObserver.disconnect()
      clearTimeout(timer)
      for (const eventName of scrollEvents) removeEventListener(eventName, stop)
    }
    const scrollEvents = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const
    for (const eventName of scrollEvents) addEventListener(eventName, stop, { passive: true })
    const timer = setTimeout(stop, settleMs)
    scrollToSection()
    getSection()?.focus({ preventScroll: true })
    return stop
  }, [id])
}
