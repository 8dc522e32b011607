import { useEffect } from 'react'

/** While parts above it are still coming, it is kept in sight for so long, unless the reader moves. */
const settlesMs = 2500

/** Opens the page at one of its sections: there, with the focus on its heading. */
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
    const timer = setTimeout(stop, settlesMs)
    show()
    section()?.focus({ preventScroll: true })
    return stop
  }, [id])
}
