import { readFileSync } from 'node:fs'
import { runInThisContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { readSetting, writeSetting } from '#web/offline/browser-memory.ts'
import { readThemeMemory, rememberTheme, writeThemeMemory } from './theme-memory.ts'

const themeScript = readFileSync(new URL('./theme.js', import.meta.url), 'utf8')

test('a theme and mode that cannot be stored apply for the visit', () => {
  const page = new EventTarget()
  const dataset: Record<string, string> = {}
  let isFull = true
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('dispatchEvent', page.dispatchEvent.bind(page))
  vi.stubGlobal('document', { documentElement: { dataset, style: {} } })
  vi.stubGlobal('location', { pathname: '/root' })
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {} }))
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => (key === 'keeper_token' ? 'kps_1' : null),
    setItem() {
      if (isFull) throw new DOMException('full', 'QuotaExceededError')
    },
    removeItem() {},
  })
  runInThisContext(themeScript)
  expect(dataset).toEqual({ theme: 'keeper-classic', mode: 'light' })
  writeThemeMemory({ ...readThemeMemory(), mode: 'dark' })
  expect(dataset.mode).toBe('dark')
  rememberTheme({ slug: 'harbour' })
  expect(dataset).toEqual({ theme: 'harbour', mode: 'dark' })
  // A value from another tab wins.
  page.dispatchEvent(Object.assign(new Event('storage'), { key: 'keeper-theme' }))
  expect(dataset).toEqual({ theme: 'keeper-classic', mode: 'light' })
  isFull = false
  writeSetting('keeper-theme', null)
  expect(readSetting('keeper-theme')).toBeNull()
})
