import { useLayoutEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { isTyping } from '#web/ui/fields/is-typing.ts'
import { isDialogOpen } from '#web/ui/overlays/is-dialog-open.ts'
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
  const latestHandlers = useRef({ ...handlers, navigate })
  useLayoutEffect(() => {
    latestHandlers.current = { ...handlers, navigate }
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
      if (shortcut.action === 'wait') {
        waitingFor = shortcut.firstKey
        resetTimer = setTimeout(() => {
          waitingFor = undefined
        }, secondKeyTimeoutMs)
        return
      }
      if (runShortcut(shortcut)) event.preventDefault()
    }

    function runShortcut(shortcut: Exclude<Shortcut, { action: 'wait' }>): boolean {
      if (shortcut.action === 'search-here') return focusSearch()
      if (shortcut.action === 'new-here') return clickNewButton()
      if (shortcut.action === 'next-item') return focusItem(1)
      if (shortcut.action === 'previous-item') return focusItem(-1)
      if (shortcut.action === 'run-item') return clickItemButton('R')
      if (shortcut.action === 'edit-item') return clickItemButton('E')
      if (shortcut.action === 'go') latestHandlers.current.navigate(shortcut.to)
      else if (shortcut.action === 'mode') latestHandlers.current.mode(shortcut.mode)
      else latestHandlers.current[shortcut.action]()
      return true
    }

    addEventListener('keydown', handleKeyDown)
    return () => {
      clearTimeout(resetTimer)
      removeEventListener('keydown', handleKeyDown)
    }
  }, [])
}
