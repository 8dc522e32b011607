import { useCallback, useEffect, useRef, useState } from 'react'

const nearEndPx = 48

/** Sticks to the end unless the reader scrolled up; then reports new content. */
export function useStickToEnd() {
  const scrollRef = useRef<HTMLDivElement>(null)
  const contentRef = useRef<HTMLDivElement>(null)
  const isSticking = useRef(true)
  const [hasNew, setHasNew] = useState(false)

  const scrollToEnd = useCallback((behavior: ScrollBehavior = 'instant') => {
    isSticking.current = true
    setHasNew(false)
    scrollRef.current?.scrollTo({ top: scrollRef.current.scrollHeight, behavior })
  }, [])

  useEffect(() => {
    const [outer, inner] = [scrollRef.current, contentRef.current]
    if (!outer || !inner) return
    let height = inner.clientHeight
    const observer = new ResizeObserver(() => {
      const hasGrown = inner.clientHeight > height
      height = inner.clientHeight
      if (isSticking.current) outer.scrollTop = outer.scrollHeight
      else if (hasGrown) setHasNew(true)
    })
    observer.observe(inner)
    observer.observe(outer)
    let [lastScrollTop, lastScrollHeight] = [outer.scrollTop, outer.scrollHeight]
    function handleScroll() {
      if (!outer) return
      const isAtEnd = outer.scrollHeight - outer.scrollTop - outer.clientHeight < nearEndPx
      // Scroll events are late: only upward scrolling in a list that didn't shrink is the reader's.
      if (isAtEnd) isSticking.current = true
      else if (outer.scrollTop < lastScrollTop && outer.scrollHeight >= lastScrollHeight) isSticking.current = false
      if (isSticking.current) setHasNew(false)
      lastScrollTop = outer.scrollTop
      lastScrollHeight = outer.scrollHeight
    }
    outer.addEventListener('scroll', handleScroll, { passive: true })
    return () => {
      observer.disconnect()
      outer.removeEventListener('scroll', handleScroll)
    }
  }, [])

  return { scrollRef, contentRef, hasNew, scrollToEnd }
}
