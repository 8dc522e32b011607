import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'

export interface Suggestion {
  value: string
  note?: string
  badges?: ReactNode
}

export function useSuggestions(options: Suggestion[], onPick: (value: string) => void) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const [activeIndex, setActiveIndex] = useState(-1)
  const isVisible = isOpen && options.length > 0
  const currentIndex = Math.min(activeIndex, options.length - 1)
  const getOptionId = (index: number) => `${id}-${index}`
  const activeId = isVisible && currentIndex >= 0 ? getOptionId(currentIndex) : undefined

  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  function close() {
    setIsOpen(false)
    setActiveIndex(-1)
  }
  function pick(value: string) {
    onPick(value)
    close()
  }
  /** @returns whether the key was handled */
  function handleKeyDown(event: KeyboardEvent): boolean {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setIsOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActiveIndex(
        isVisible ? (currentIndex + step + options.length) % options.length : step > 0 ? 0 : options.length - 1,
      )
      return true
    }
    if (!isVisible) return false
    if (event.key === 'Escape') {
      event.stopPropagation()
      close()
      return true
    }
    const currentOption = options[currentIndex]
    if (event.key === 'Enter' && currentOption) {
      event.preventDefault()
      pick(currentOption.value)
      return true
    }
    return false
  }

  return {
    isVisible,
    isOpen: isOpen,
    current: currentIndex,
    options,
    pick,
    close,
    handleKeyDown,
    open: () => setIsOpen(true),
    reset: () => setActiveIndex(-1),
    listId: `${id}-list`,
    optionId: getOptionId,
    inputProps: {
      role: 'combobox',
      'aria-expanded': isVisible,
      'aria-controls': `${id}-list`,
      'aria-autocomplete': 'list',
      'aria-activedescendant': activeId,
      autoComplete: 'off',
      autoCapitalize: 'none',
      spellCheck: false,
    } as const,
  }
}

export type Suggestions = ReturnType<typeof useSuggestions>
