import { useLayoutEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { getShortcutKey, isTyping } from '#web/ui/fields/field-keys.ts'
import { isDialogOpen } from '#web/ui/overlays/use-dialog-focus.ts'
import { areSingleKeyShortcutsOn } from '../page/single-key-shortcuts.ts'
import type { ViewMode } from '../page/view-mode.ts'

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
          key: event.altKey ? event.code.replace('Digit', '') : getShortcutKey(event),
          ctrl: event.ctrlKey || event.metaKey,
          alt: event.altKey,
          shift: event.shiftKey,
        },
        { typing: isTyping(event.target), singleKeys: areSingleKeyShortcutsOn() && !isDialogOpen(), waitingFor },
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
/* Single-key actions on elements with `data-item` or `aria-keyshortcuts`; they return whether there was one. */

function focusSearch(): boolean {
  return focusElement(document.querySelector<HTMLElement>('main [role="searchbox"]'))
}

/** The last match belongs to the innermost list, such as the one of a tab. */
function clickNewButton(): boolean {
  return clickElement([...document.querySelectorAll<HTMLElement>('main [aria-keyshortcuts="N"]:not(:disabled)')].at(-1))
}

/** Stops at both ends; from outside the list, starts with the first item. */
function focusItem(step: 1 | -1): boolean {
  const items = [...document.querySelectorAll<HTMLElement>('main [data-item]')]
  const index = items.findIndex((item) => item.contains(document.activeElement))
  return focusElement(items[index < 0 ? 0 : index + step]?.querySelector<HTMLElement>('a[href], button:not(:disabled)'))
}

function clickItemButton(key: 'R' | 'E'): boolean {
  const item = document.activeElement?.closest('[data-item]')
  return clickElement(item?.querySelector<HTMLElement>(`[aria-keyshortcuts="${key}"]:not(:disabled)`))
}

function focusElement(element: HTMLElement | null | undefined): boolean {
  element?.focus()
  return Boolean(element)
}

function clickElement(element: HTMLElement | undefined | null): boolean {
  element?.click()
  return Boolean(element)
}

export type Shortcut =
  | { action: 'palette' | 'help' | 'sidebar' | 'search-here' }
  /** Acts on elements that the page marks: its New button, list items, item buttons. */
  | { action: 'new-here' | 'next-item' | 'previous-item' | 'run-item' | 'edit-item' }
  | { action: 'mode'; mode: ViewMode }
  | { action: 'go'; to: string }
  /** First key of a two-key shortcut. */
  | { action: 'wait'; firstKey: 'g' }

export interface KeyPress {
  key: string
  ctrl: boolean
  alt: boolean
  shift: boolean
}

const goToPaths: Record<string, string> = {
  a: '/studio/agents',
  k: '/keeper',
  b: '/studio/board-studio',
  l: '/library',
  r: '/root',
}
const modes: Record<string, ViewMode> = { '1': 'Architect', '2': 'MyKeeper', '3': 'Admin' }

const pageShortcuts: Record<string, Shortcut> = {
  '/': { action: 'search-here' },
  n: { action: 'new-here' },
  j: { action: 'next-item' },
  k: { action: 'previous-item' },
  r: { action: 'run-item' },
  e: { action: 'edit-item' },
  m: { action: 'go', to: '/keeper/1/dashboard?write' },
}

/** While `typing` or with `singleKeys: false`, only shortcuts with Ctrl or Alt apply. */
export function findShortcut(
  press: KeyPress,
  { typing, singleKeys, waitingFor }: { typing: boolean; singleKeys: boolean; waitingFor: 'g' | undefined },
): Shortcut | undefined {
  const key = press.key.toLowerCase()
  if (press.ctrl && !press.alt && !press.shift && key === 'k') return { action: 'palette' }
  if (press.ctrl) return undefined
  if (press.alt) {
    const mode = modes[key]
    return mode ? { action: 'mode', mode } : undefined
  }
  if (typing || !singleKeys) return undefined
  if (waitingFor === 'g') {
    const to = goToPaths[key]
    return to ? { action: 'go', to } : undefined
  }
  if (key === '?') return { action: 'help' }
  // Some layouts type characters such as / with Shift.
  if (press.shift && /\p{L}/u.test(key)) return undefined
  if (key === 'g') return { action: 'wait', firstKey: 'g' }
  if (key === '[') return { action: 'sidebar' }
  return pageShortcuts[key]
}
