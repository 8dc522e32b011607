import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, test, vi } from 'vitest'
import { areSingleKeyShortcutsOn, setSingleKeyShortcuts } from '#web/page/single-key-shortcuts.ts'
import { useOnThisDayHidden } from '../keepers/moments/on-this-day.tsx'
import { readSidebarMemory, writeSidebarMemory } from '../shell/sidebar.tsx'
import { readSetting, writeSetting } from './browser-memory.ts'
import { useListLayout, useStoredFlag } from './use-stored-setting.ts'

const stored = new Map<string, string>()
let isFull = true

beforeEach(() => {
  stored.clear()
  isFull = true
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem(key: string, value: string) {
      if (isFull) throw new DOMException('full', 'QuotaExceededError')
      stored.set(key, value)
    },
    removeItem: (key: string) => stored.delete(key),
  })
})

const useLayout = () => useListLayout('keeper-library-layout')
const useFocus = () => useStoredFlag('keeper-journal-focus')

interface SwitchProps<Value> {
  useSwitch: () => [Value, (value: Value) => void]
  to: Value
}

function SetSwitch<Value>({ useSwitch, to }: SwitchProps<Value>) {
  const [value, set] = useSwitch()
  if (value !== to) set(to)
  return String(value)
}

function AnotherPage() {
  return [useLayout()[0], useFocus()[0], useOnThisDayHidden()[0]].join()
}

test('a switch lasts for this visit on every page when storage is full', () => {
  expect(renderToStaticMarkup(<SetSwitch useSwitch={useLayout} to="list" />)).toBe('list')
  expect(renderToStaticMarkup(<SetSwitch useSwitch={useFocus} to />)).toBe('true')
  expect(renderToStaticMarkup(<SetSwitch useSwitch={useOnThisDayHidden} to />)).toBe('true')
  setSingleKeyShortcuts(false)
  expect(areSingleKeyShortcutsOn()).toBe(false)
  const wide = readSidebarMemory()
  writeSidebarMemory({ ...wide, narrow: true })
  expect(readSidebarMemory().narrow).toBe(true)
  expect(renderToStaticMarkup(<AnotherPage />)).toBe('list,true,true')
  for (const key of ['library-layout', 'journal-focus', 'on-this-day-hidden', 'single-keys', 'sidebar'])
    writeSetting(`keeper-${key}`, null)
})

test('the visit’s value overrides the stored one and is stored once there is room', () => {
  stored.set('keeper-probe', 'old')
  writeSetting('keeper-probe', 'new')
  expect(readSetting('keeper-probe')).toBe('new')
  isFull = false
  writeSetting('keeper-probe', 'newer')
  expect(readSetting('keeper-probe')).toBe('newer')
  expect(stored.get('keeper-probe')).toBe('newer')
  writeSetting('keeper-probe', null)
  expect(readSetting('keeper-probe')).toBeNull()
  expect(stored.size).toBe(0)
})
