import { useEffect } from 'react'

/** Height of the on-screen keyboard as `--k-keyboard` of the page, where it covers the page instead of resizing it. */
export function useKeyboardInset(): void {
  useEffect(() => {
    const viewport = visualViewport
    if (!viewport) return
    const update = () => {
      const inset = viewport.scale > 1 ? 0 : Math.max(0, innerHeight - viewport.height - viewport.offsetTop)
      document.documentElement.style.setProperty('--k-keyboard', `${Math.round(inset)}px`)
    }
    update()
    viewport.addEventListener('resize', update)
    viewport.addEventListener('scroll', update)
    return () => {
      viewport.removeEventListener('resize', update)
      viewport.removeEventListener('scroll', update)
      document.documentElement.style.removeProperty('--k-keyboard')
    }
  }, [])
}
