import { useLayoutEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { isDialogOpen } from '#web/ui/is-dialog-open.ts'
import { isTyping } from '#web/ui/is-typing.ts'
import { areSingleKeysOn, type Shortcut, shortcutFor } from './keyboard-shortcuts.ts'
import { focusItem, focusSearch, pressInItem, pressNew } from './on-this-page.ts'
import type { ViewMode } from './view-mode.ts'

interface Doers {
  palette: () => void
  help: () => void
  sidebar: () => void
  mode: (mode: ViewMode) => void
}

const secondKeyWithinMs = 1200

export function useKeyboardShortcuts(doers: Doers): void {
  const navigate = useNavigate()
  const latest = useRef({ ...doers, navigate })
  useLayoutEffect(() => {
    latest.current = { ...doers, navigate }
  })

  // Layout effect: keys work once the shell is visible. Registered once, since `navigate` changes per page and a page
  // change must not reset a pending first key.
  useLayoutEffect(() => {
    let waitingFor: 'g' | undefined
    let forget: ReturnType<typeof setTimeout> | undefined

    function keyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.repeat) return
      const shortcut = shortcutFor(
        {
          // Alt changes the character on some layouts, but not `code`.
          key: event.altKey ? event.code.replace('Digit', '') : event.key,
          ctrl: event.ctrlKey || event.metaKey,
          alt: event.altKey,
          shift: event.shiftKey,
        },
        { typing: isTyping(event.target), singleKeys: areSingleKeysOn() && !isDialogOpen(), waitingFor },
      )
      clearTimeout(forget)
      waitingFor = undefined
      if (!shortcut) return
      if (shortcut.do === 'wait') {
        waitingFor = shortcut.for
        forget = setTimeout(() => {
          waitingFor = undefined
        }, secondKeyWithinMs)
        return
      }
      if (carryOut(shortcut)) event.preventDefault()
    }

    function carryOut(shortcut: Exclude<Shortcut, { do: 'wait' }>): boolean {
      if (shortcut.do === 'search-here') return focusSearch()
      if (shortcut.do === 'new-here') return pressNew()
      if (shortcut.do === 'next-item') return focusItem(1)
      if (shortcut.do === 'previous-item') return focusItem(-1)
      if (shortcut.do === 'run-item') return pressInItem('R')
      if (shortcut.do === 'edit-item') return pressInItem('E')
      if (shortcut.do === 'go') latest.current.navigate(shortcut.to)
      else if (shortcut.do === 'mode') latest.current.mode(shortcut.mode)
      else latest.current[shortcut.do]()
      return true
    }

    addEventListener('keydown', keyDown)
    return () => {
      clearTimeout(forget)
      removeEventListener('keydown', keyDown)
    }
  }, [])
}
