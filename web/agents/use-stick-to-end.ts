import { useCallback, useEffect, useRef, useState } from 'react'

const nearEnd = 48

/** Keeps a growing list at its end, unless the reader scrolled up to read; then it says that there is more. */
export function useStickToEnd() {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const sticks = useRef(true)
  const [hasNew, setHasNew] = useState(false)

  const toEnd = useCallback((behavior: ScrollBehavior = 'instant') => {
    sticks.current = true
    setHasNew(false)
    box.current?.scrollTo({ top: box.current.scrollHeight, behavior })
  }, [])

  useEffect(() => {
    const [outer, inner] = [box.current, content.current]
    if (!outer || !inner) return
    let height = inner.clientHeight
    const observer = new ResizeObserver(() => {
      const grew = inner.clientHeight > height
      height = inner.clientHeight
      if (sticks.current) outer.scrollTop = outer.scrollHeight
      else if (grew) setHasNew(true)
    })
    observer.observe(inner)
    observer.observe(outer)
    function scrolled() {
      if (!outer) return
      sticks.current = outer.scrollHeight - outer.scrollTop - outer.clientHeight < nearEnd
      if (sticks.current) setHasNew(false)
    }
    outer.addEventListener('scroll', scrolled, { passive: true })
    return () => {
      observer.disconnect()
      outer.removeEventListener('scroll', scrolled)
    }
  }, [])

  return { box, content, hasNew, toEnd }
}
