import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'

export interface Suggestion {
  value: string
  note?: string
  badges?: ReactNode
}

export function useSuggestions(options: Suggestion[], onPick: (value: string) => void) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const isVisible = open && options.length > 0
  const current = Math.min(active, options.length - 1)
  const optionId = (index: number) => `${id}-${index}`
  const activeId = isVisible && current >= 0 ? optionId(current) : undefined

  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  function close() {
    setOpen(false)
    setActive(-1)
  }
  function pick(value: string) {
    onPick(value)
    close()
  }
  /** @returns whether the key was handled */
  function handleKeyDown(event: KeyboardEvent): boolean {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive(isVisible ? (current + step + options.length) % options.length : step > 0 ? 0 : options.length - 1)
      return true
    }
    if (!isVisible) return false
    if (event.key === 'Escape') {
      event.stopPropagation()
      close()
      return true
    }
    const chosen = options[current]
    if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      pick(chosen.value)
      return true
    }
    return false
  }

  return {
    isVisible,
    isOpen: open,
    current,
    options,
    pick,
    close,
    handleKeyDown,
    open: () => setOpen(true),
    reset: () => setActive(-1),
    listId: `${id}-list`,
    optionId,
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
