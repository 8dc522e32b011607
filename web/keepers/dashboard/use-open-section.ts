import { useEffect } from 'react'

/** How long the section stays in view while content above it loads, unless the reader scrolls (ms). */
const settleMs = 2500

export function useOpenSection(id: string | undefined): void {
  useEffect(() => {
    if (!id) return
    const section = () => document.getElementById(id)
    const show = () => section()?.scrollIntoView({ block: 'start' })
    const resized = new ResizeObserver(show)
    resized.observe(document.body)
    const stop = () => {
      resized.disconnect()
      clearTimeout(timer)
      for (const name of moves) removeEventListener(name, stop)
    }
    const moves = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const
    for (const name of moves) addEventListener(name, stop, { passive: true })
    const timer = setTimeout(stop, settleMs)
    show()
    section()?.focus({ preventScroll: true })
    return stop
  }, [id])
}
