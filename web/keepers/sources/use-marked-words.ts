import { type RefObject, useEffect } from 'react'
import { markWords } from './mark-words.ts'

/** Marks words while they are shown. @param scrollsTo shows the first mark once, when it is far down a page */
export function useMarkedWords(listRef: RefObject<HTMLElement | null>, words: string, scrollsTo: boolean): void {
  useEffect(() => {
    const list = listRef.current
    if (!list || words === '') return
    let hasScrolled = !scrollsTo
    const update = () => {
      const first = markWords(list, words)
      if (!first || hasScrolled) return
      hasScrolled = true
      // After the page has scrolled to the opened message.
      requestAnimationFrame(() => {
        const { top, bottom } = first.getBoundingClientRect()
        if (top < 0 || bottom > innerHeight) scrollBy({ top: top - innerHeight / 2 })
      })
    }
    update()
    // Messages appear when Markdown has loaded, more are shown or another branch is chosen.
    const observer = new MutationObserver(update)
    observer.observe(list, { childList: true, subtree: true })
    return () => {
      observer.disconnect()
      markWords(list, '')
    }
  }, [listRef, words, scrollsTo])
}
