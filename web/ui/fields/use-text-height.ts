import { type RefObject, useLayoutEffect } from 'react'

const supportsFieldSizing = typeof CSS !== 'undefined' && CSS.supports('field-sizing', 'content')

/** Does what `field-sizing: content` does, in browsers without it. */
export function useTextHeight(
  textareaRef: RefObject<HTMLTextAreaElement | null>,
  text: string,
  isGrowing = true,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const textarea = textareaRef.current
    const container = textarea?.parentElement
    if (supportsFieldSizing || !textarea || !container) return
    // Measuring shrinks the text, and a shorter page would scroll.
    container.style.minHeight = `${container.offsetHeight}px`
    textarea.style.height = isGrowing ? 'auto' : ''
    if (isGrowing && text !== '') textarea.style.height = `${textarea.scrollHeight}px`
    container.style.minHeight = ''
  }, [text, textareaRef, isGrowing])
}
