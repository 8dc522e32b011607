import { recall, remember } from '#web/browser-memory.ts'
import type { ViewMode } from './view-mode.ts'

export type Shortcut =
  | { do: 'palette' | 'help' | 'sidebar' | 'search-here' }
  /** Acts on elements that the page marks: its New button, list items, item buttons. */
  | { do: 'new-here' | 'next-item' | 'previous-item' | 'run-item' | 'edit-item' }
  | { do: 'mode'; mode: ViewMode }
  | { do: 'go'; to: string }
  /** First key of a two-key shortcut. */
  | { do: 'wait'; for: 'g' }

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
  '/': { do: 'search-here' },
  n: { do: 'new-here' },
  j: { do: 'next-item' },
  k: { do: 'previous-item' },
  r: { do: 'run-item' },
  e: { do: 'edit-item' },
  m: { do: 'go', to: '/keeper/1/dashboard?write' },
}

/** While `typing` or with `singleKeys: false`, only shortcuts with Ctrl or Alt apply. */
export function findShortcut(
  press: KeyPress,
  { typing, singleKeys, waitingFor }: { typing: boolean; singleKeys: boolean; waitingFor: 'g' | undefined },
): Shortcut | undefined {
  const key = press.key.toLowerCase()
  if (press.ctrl && !press.alt && !press.shift && key === 'k') return { do: 'palette' }
  if (press.ctrl) return undefined
  if (press.alt) {
    const mode = modes[key]
    return mode ? { do: 'mode', mode } : undefined
  }
  if (typing || !singleKeys) return undefined
  if (waitingFor === 'g') {
    const to = goToPaths[key]
    return to ? { do: 'go', to } : undefined
  }
  if (key === '?') return { do: 'help' }
  if (press.shift) return undefined
  if (key === 'g') return { do: 'wait', for: 'g' }
  if (key === '[') return { do: 'sidebar' }
  return pageShortcuts[key]
}

const singleKeysKey = 'keeper-single-keys'

export function areSingleKeysOn(): boolean {
  return recall(singleKeysKey) !== 'off'
}

export function setSingleKeys(on: boolean): void {
  remember(singleKeysKey, on ? null : 'off')
}
