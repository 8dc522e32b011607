import { describe, expect, it } from 'vitest'
import { changeData, documentOfTests } from '#tests/a-board.ts'
import { changesBetween } from '../document/board-changes.ts'
import {
  addFrames,
  changeConfig,
  changeContent,
  copyOf,
  placeFrames,
  removeFrames,
  reorderFrame,
} from '../document/board-document.ts'
import { listed, sentencesOf, valueInWords } from './change-words.ts'

describe('the description of board changes', () => {
  const before = documentOfTests('media_card', 'process_frame', 'dialog')
  const told = (after: typeof before) => sentencesOf(changesBetween(before, after))

  it('names each frame once, with all its changed fields', () => {
    const steps = [{ id: '1', title: 'Gather', state: 'done' }]
    const after = changeContent('b', { steps })(
      placeFrames(new Map([['b', { x: 800 }]]))(changeData('a', { name: 'Cover' })(before)),
    )
    expect(told(after)).toEqual(['“Cover”: changed name.', '“Frame b”: changed position and steps.'])
    const changed = after.frames[1]
    expect(changed && valueInWords(changed, 'content.steps')).toBe('Gather (done)')
    expect(changed && valueInWords(changed, 'position')).toBe('800, 0')
  })

  it('lists added and deleted frames and changed settings, and nothing else', () => {
    const [first] = before.frames
    if (!first) throw new Error('There is no frame')
    const after = addFrames([copyOf(first, 40)])(removeFrames(new Set(['c']))(changeConfig({ layout: 'grid' })(before)))
    expect(told(after)).toEqual(['“Frame c”: deleted.', '“Frame a”: added.', 'The board: changed layout.'])
    expect(told(before)).toEqual([])
    expect(told(reorderFrame('c', 0)(before))).toEqual(['The frames are in a different order.'])
  })

  it('joins words with commas and "and"', () => {
    expect([listed([]), listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c'])]).toEqual([
      '',
      'a',
      'a and b',
      'a, b and c',
    ])
  })
})
