import { expect, it } from 'vitest'
import { shortcutFor } from './keyboard-shortcuts.ts'
import { shortcutGroups } from './shortcut-list.ts'

const reading = { typing: false, singleKeys: true, waitingFor: undefined }
const ofTheBrowser = ['Esc', '↵']
const shellsOwn = shortcutGroups
  .filter(({ where }) => where === 'Everywhere' || where === 'In lists')
  .flatMap(({ shortcuts }) => shortcuts)
  .filter(({ keys }) => !ofTheBrowser.includes(keys.join()))

it.each(shellsOwn)('$keys, "$does", has an action', ({ keys }) => {
  const pressed = keys.map((key) => {
    const parts = key.split(' ')
    return { key: parts.at(-1) ?? '', ctrl: parts.includes('Ctrl'), alt: parts.includes('Alt'), shift: key === '?' }
  })
  const [first, second] = pressed
  const done = first && shortcutFor(first, reading)
  expect(done).toBeDefined()
  expect(done?.do === 'wait').toBe(second !== undefined)
  if (second && done?.do === 'wait')
    expect(shortcutFor(second, { ...reading, waitingFor: done.for })).toMatchObject({ do: 'go' })
})

it('every key with an action is listed', () => {
  const listed = new Set(shellsOwn.map(({ keys }) => keys.join(' ')))
  for (const key of 'abcdefghijklmnopqrstuvwxyz0123456789[]/?.,;') {
    const done = shortcutFor({ key, ctrl: false, alt: false, shift: false }, reading)
    if (done?.do === 'wait')
      for (const second of 'abcdefghijklmnopqrstuvwxyz')
        if (shortcutFor({ key: second, ctrl: false, alt: false, shift: false }, { ...reading, waitingFor: 'g' }))
          expect(listed).toContain(`G ${second.toUpperCase()}`)
    if (done && done.do !== 'wait') expect(listed).toContain(key.toUpperCase())
  }
})

it('no group lists an action twice', () => {
  for (const { shortcuts } of shortcutGroups)
    expect(new Set(shortcuts.map(({ does }) => does)).size).toBe(shortcuts.length)
})
