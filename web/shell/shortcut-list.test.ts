import { expect, it } from 'vitest'
import { shortcutGroups } from './shortcut-list.ts'
import { findShortcut, type Shortcut } from './use-keyboard-shortcuts.ts'

const reading = { typing: false, singleKeys: true, waitingFor: undefined }
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
  const done = first && findShortcut(first, reading)
  expect(done).toBeDefined()
  expect(done?.action === 'wait').toBe(second !== undefined)
  if (second && done?.action === 'wait')
    expect(findShortcut(second, { ...reading, waitingFor: done.firstKey })).toMatchObject<Partial<Shortcut>>({
      action: 'go',
    })
})

it('every key with an action is listed', () => {
  const listed = new Set(shellShortcuts.map(({ keys }) => keys.join(' ')))
  for (const key of 'abcdefghijklmnopqrstuvwxyz0123456789[]/?.,;') {
    const done = findShortcut({ key, ctrl: false, alt: false, shift: false }, reading)
    if (done?.action === 'wait')
      for (const second of 'abcdefghijklmnopqrstuvwxyz')
        if (findShortcut({ key: second, ctrl: false, alt: false, shift: false }, { ...reading, waitingFor: 'g' }))
          expect(listed).toContain(`G ${second.toUpperCase()}`)
    if (done && done.action !== 'wait') expect(listed).toContain(key.toUpperCase())
  }
})

it('no group lists an action twice', () => {
  for (const { shortcuts } of shortcutGroups)
    expect(new Set(shortcuts.map(({ description }) => description)).size).toBe(shortcuts.length)
})
