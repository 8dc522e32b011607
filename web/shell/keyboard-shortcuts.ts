import { readSetting, writeSetting } from '#web/offline/browser-memory.ts'
import type { ViewMode } from './view-mode.ts'

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
  if (press.shift) return undefined
  if (key === 'g') return { action: 'wait', firstKey: 'g' }
  if (key === '[') return { action: 'sidebar' }
  return pageShortcuts[key]
}

const singleKeysKey = 'keeper-single-keys'

export function areSingleKeysOn(): boolean {
  return readSetting(singleKeysKey) !== 'off'
}

export function setSingleKeys(on: boolean): void {
  writeSetting(singleKeysKey, on ? null : 'off')
}
