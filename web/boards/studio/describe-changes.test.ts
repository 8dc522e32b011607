import { describe, expect, it } from 'vitest'
import { changeFrameData, createBoardDocument } from '#tests/board-fixtures.ts'
import { diffDocuments } from '../document/board-changes.ts'
import {
  addFrames,
  changeConfig,
  changeContent,
  copyFrame,
  removeFrames,
  reorderFrame,
  setFrameBoxes,
} from '../document/board-document.ts'
import { describeChanges, formatFieldValue } from './describe-changes.ts'

describe('the description of board changes', () => {
  const original = createBoardDocument('media_card', 'process_frame', 'dialog')
  const getSentences = (updated: typeof original) => describeChanges(diffDocuments(original, updated))

  it('names each frame once, with all its changed fields', () => {
    const steps = [{ id: '1', title: 'Gather', state: 'done' }]
    const updated = changeContent('b', { steps })(
      setFrameBoxes(new Map([['b', { x: 800 }]]))(
        changeFrameData('b', { description: 'Why' })(changeFrameData('a', { name: 'Cover' })(original)),
      ),
    )
    expect(getSentences(updated)).toEqual([
      '“Cover”: changed name.',
      '“Frame b”: changed position, description and steps.',
    ])
    const changed = updated.frames[1]
    expect(changed && formatFieldValue(changed, 'content.steps')).toBe('Gather (done)')
    expect(changed && formatFieldValue(changed, 'position')).toBe('800, 0')
  })

  it('lists added and deleted frames and changed settings, and nothing else', () => {
    const [first] = original.frames
    if (!first) throw new Error('There is no frame')
    const updated = addFrames([copyFrame(first, 40)])(
      removeFrames(new Set(['c']))(changeConfig({ layout: 'grid' })(original)),
    )
    expect(getSentences(updated)).toEqual(['“Frame c”: deleted.', '“Frame a”: added.', 'The board: changed layout.'])
    expect(getSentences(original)).toEqual([])
    expect(getSentences(reorderFrame('c', 0)(original))).toEqual(['The frames are in a different order.'])
  })
})
