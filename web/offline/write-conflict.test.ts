import { describe, expect, it } from 'vitest'
import { combineTexts, getDiffSegments } from './differences.ts'
import type { PendingWrite } from './pending-write.ts'
import { buildResolvedBody, getConflictFields } from './write-conflict.ts'

const createBlockedWrite = (body: Record<string, unknown>, current: Record<string, unknown>) =>
  ({ body, current: { rev: 3, ...current } }) as unknown as PendingWrite

describe('a blocked write and the saved version', () => {
  it('shows every sent field, texts to merge and others to choose', () => {
    const write = createBlockedWrite(
      { content: 'mine', aiVisible: false, topics: ['Sea'] },
      { content: 'theirs', aiVisible: true, topics: [{ id: 't', name: 'Harbour', color: 'moss' }], title: 'untouched' },
    )
    expect(getConflictFields(write)).toEqual([
      { name: 'content', label: 'Content', yours: 'mine', current: 'theirs' },
      { name: 'aiVisible', label: 'Ai visible', yours: 'No', current: 'Yes', choiceOnly: true },
      { name: 'topics', label: 'Topics', yours: 'Sea', current: 'Harbour', choiceOnly: true },
    ])
  })

  it('sends the chosen values and omits fields where the saved value stays', () => {
    const write = createBlockedWrite(
      { content: 'mine', aiVisible: false, topics: ['Sea'] },
      { content: 'theirs', aiVisible: true },
    )
    expect(buildResolvedBody(write, { content: 'both', aiVisible: 'Yes', topics: 'Sea' })).toEqual({
      content: 'both',
      topics: ['Sea'],
    })
    expect(buildResolvedBody(write, { content: 'theirs', aiVisible: 'Yes', topics: '' })).toEqual({})
  })
})

describe('two texts', () => {
  it('are marked word by word where they differ', () => {
    expect(getDiffSegments('The gate sings.', 'The gate weeps.').filter(({ isUnique }) => isUnique)).toEqual([
      { text: 'sings', isUnique: true },
    ])
    expect(
      getDiffSegments('The gate sings.', 'The gate weeps.')
        .map(({ text }) => text)
        .join(''),
    ).toBe('The gate sings.')
  })

  it('are combined with every line of both, in order', () => {
    expect(combineTexts('a\nsaved\nc', 'a\nown\nc')).toBe('a\nsaved\nown\nc')
    expect(combineTexts('same', 'same')).toBe('same')
    expect(combineTexts('', 'own')).toBe('own')
  })
})
