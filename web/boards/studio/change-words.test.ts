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

describe('what became of a board, in words', () => {
  const before = documentOfTests('media_card', 'process_frame', 'dialog')
  const told = (after: typeof before) => sentencesOf(changesBetween(before, after))

  it('names each frame once with everything that is other than it was', () => {
    const steps = [{ id: '1', title: 'Gather', state: 'done' }]
    const after = changeContent('b', { steps })(
      placeFrames(new Map([['b', { x: 800 }]]))(changeData('a', { name: 'Cover' })(before)),
    )
    expect(told(after)).toEqual(['“Cover”: changed name.', '“Frame b”: changed place and steps.'])
    const changed = after.frames[1]
    expect(changed && valueInWords(changed, 'content.steps')).toBe('Gather (done)')
    expect(changed && valueInWords(changed, 'position')).toBe('800, 0')
  })

  it('says what came and went, what of the board itself changed, and nothing where nothing did', () => {
    const [first] = before.frames
    if (!first) throw new Error('There is no frame')
    const after = addFrames([copyOf(first, 40)])(removeFrames(new Set(['c']))(changeConfig({ layout: 'grid' })(before)))
    expect(told(after)).toEqual(['“Frame c”: deleted.', '“Frame a”: added.', 'The board: changed layout.'])
    expect(told(before)).toEqual([])
    expect(told(reorderFrame('c', 0)(before))).toEqual(['The frames stand in another order.'])
  })

  it('lists words as one would say them', () => {
    expect([listed([]), listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c'])]).toEqual([
      '',
      'a',
      'a and b',
      'a, b and c',
    ])
  })
})
