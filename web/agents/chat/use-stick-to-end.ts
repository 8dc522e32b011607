import { useCallback, useEffect, useRef, useState } from 'react'

const nearEnd = 48

/** Sticks to the end unless the reader scrolled up; then reports new content. */
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
    let [top, tall] = [outer.scrollTop, outer.scrollHeight]
    function scrolled() {
      if (!outer) return
      const atEnd = outer.scrollHeight - outer.scrollTop - outer.clientHeight < nearEnd
      // Scroll events are late: only upward scrolling in a list that didn't shrink is the reader's.
      if (atEnd) sticks.current = true
      else if (outer.scrollTop < top && outer.scrollHeight >= tall) sticks.current = false
      if (sticks.current) setHasNew(false)
      top = outer.scrollTop
      tall = outer.scrollHeight
    }
    outer.addEventListener('scroll', scrolled, { passive: true })
    return () => {
      observer.disconnect()
      outer.removeEventListener('scroll', scrolled)
    }
  }, [])

  return { box, content, hasNew, toEnd }
}
