import { type RefObject, useEffect, useState } from 'react'
import { maxQuoteLength } from '#contract/keepers/sources.ts'

export interface SelectedQuote {
  messageId: string
  words: string
}

/** The selection inside one message of the list. It stays while its menu has the focus. */
export function useSelectedWords(listRef: RefObject<HTMLElement | null>): SelectedQuote | undefined {
  const [selected, setSelected] = useState<SelectedQuote>()
  useEffect(() => {
    const update = () =>
      setSelected((previous) => {
        const next = readSelection(listRef.current)
        return next?.messageId === previous?.messageId && next?.words === previous?.words ? previous : next
      })
    document.addEventListener('selectionchange', update)
    return () => document.removeEventListener('selectionchange', update)
  }, [listRef])
  return selected
}

function readSelection(list: HTMLElement | null): SelectedQuote | undefined {
  const selection = getSelection()
  if (!selection || selection.isCollapsed) return undefined
  const message = findMessage(selection.anchorNode)
  const messageId = message?.dataset.message
  if (!message || messageId === undefined || !list?.contains(message)) return undefined
  if (findMessage(selection.focusNode) !== message) return undefined
  const words = selection.toString().trim()
  return words !== '' && words.length <= maxQuoteLength ? { messageId, words } : undefined
}

function findMessage(node: Node | null): HTMLElement | null {
  const element = node instanceof Element ? node : node?.parentElement
  return element?.closest<HTMLElement>('[data-message]') ?? null
}
