import { useLayoutEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { isDialogOpen } from '#web/ui/is-dialog-open.ts'
import { isTyping } from '#web/ui/is-typing.ts'
import { areSingleKeysOn, findShortcut, type Shortcut } from './keyboard-shortcuts.ts'
import { clickItemButton, clickNewButton, focusItem, focusSearch } from './page-actions.ts'
import type { ViewMode } from './view-mode.ts'

interface ShortcutHandlers {
  palette: () => void
  help: () => void
  sidebar: () => void
  mode: (mode: ViewMode) => void
}

const secondKeyTimeoutMs = 1200

export function useKeyboardShortcuts(handlers: ShortcutHandlers): void {
  const navigate = useNavigate()
  const latest = useRef({ ...handlers, navigate })
  useLayoutEffect(() => {
    latest.current = { ...handlers, navigate }
  })

  // Layout effect: keys work once the shell is visible. A page change must not reset a pending first key.
  useLayoutEffect(() => {
    let waitingFor: 'g' | undefined
    let resetTimer: ReturnType<typeof setTimeout> | undefined

    function handleKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.repeat) return
      const shortcut = findShortcut(
        {
          // Alt changes the character on some layouts, but not `code`.
          key: event.altKey ? event.code.replace('Digit', '') : event.key,
          ctrl: event.ctrlKey || event.metaKey,
          alt: event.altKey,
          shift: event.shiftKey,
        },
        { typing: isTyping(event.target), singleKeys: areSingleKeysOn() && !isDialogOpen(), waitingFor },
      )
      clearTimeout(resetTimer)
      waitingFor = undefined
      if (!shortcut) return
      if (shortcut.do === 'wait') {
        waitingFor = shortcut.for
        resetTimer = setTimeout(() => {
          waitingFor = undefined
        }, secondKeyTimeoutMs)
        return
      }
      if (execute(shortcut)) event.preventDefault()
    }

    function execute(shortcut: Exclude<Shortcut, { do: 'wait' }>): boolean {
      if (shortcut.do === 'search-here') return focusSearch()
      if (shortcut.do === 'new-here') return clickNewButton()
      if (shortcut.do === 'next-item') return focusItem(1)
      if (shortcut.do === 'previous-item') return focusItem(-1)
      if (shortcut.do === 'run-item') return clickItemButton('R')
      if (shortcut.do === 'edit-item') return clickItemButton('E')
      if (shortcut.do === 'go') latest.current.navigate(shortcut.to)
      else if (shortcut.do === 'mode') latest.current.mode(shortcut.mode)
      else latest.current[shortcut.do]()
      return true
    }

    addEventListener('keydown', handleKeyDown)
    return () => {
      clearTimeout(resetTimer)
      removeEventListener('keydown', handleKeyDown)
    }
  }, [])
}
