import { expect, it } from 'vitest'
import { shortcutGroups } from './shortcut-list.ts'
import { findShortcut, type Shortcut } from './use-keyboard-shortcuts.ts'

const notTyping = { typing: false, singleKeys: true, waitingFor: undefined }
const nativeKeys = ['Esc', '↵']
const shellShortcuts = shortcutGroups
  .filter(({ title }) => title === 'Everywhere' || title === 'In lists')
  .flatMap(({ shortcuts }) => shortcuts)
  .filter(({ keys }) => !nativeKeys.includes(keys.join()))

it.each(shellShortcuts)('$keys has an action', ({ keys }) => {
  const pressed = keys.map((key) => {
    const parts = key.split(' ')
    return { key: parts.at(-1) ?? '', ctrl: parts.includes('Ctrl'), alt: parts.includes('Alt'), shift: key === '?' }
  })
  const [first, second] = pressed
  const shortcut = first && findShortcut(first, notTyping)
  expect(shortcut).toBeDefined()
  expect(shortcut?.action === 'wait').toBe(second !== undefined)
  if (second && shortcut?.action === 'wait')
    expect(findShortcut(second, { ...notTyping, waitingFor: shortcut.firstKey })).toMatchObject<Partial<Shortcut>>({
      action: 'go',
    })
})

it('every key with an action is listed', () => {
  const listed = new Set(shellShortcuts.map(({ keys }) => keys.join(' ')))
  for (const key of 'abcdefghijklmnopqrstuvwxyz0123456789[]/?.,;') {
    const shortcut = findShortcut({ key, ctrl: false, alt: false, shift: false }, notTyping)
    if (shortcut?.action === 'wait')
      for (const second of 'abcdefghijklmnopqrstuvwxyz')
        if (findShortcut({ key: second, ctrl: false, alt: false, shift: false }, { ...notTyping, waitingFor: 'g' }))
          expect(listed).toContain(`G ${second.toUpperCase()}`)
    if (shortcut && shortcut.action !== 'wait') expect(listed).toContain(key.toUpperCase())
  }
})

it('no group lists an action twice', () => {
  for (const { shortcuts } of shortcutGroups)
    expect(new Set(shortcuts.map(({ description }) => description)).size).toBe(shortcuts.length)
})
