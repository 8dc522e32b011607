import { describe, expect, it } from 'vitest'
import { conflictFields, resolvedBody } from './conflict-of-write.ts'
import { bothTexts, piecesOf } from './differences.ts'
import type { PendingWrite } from './pending-write.ts'

const held = (body: Record<string, unknown>, current: Record<string, unknown>) =>
  ({ body, current: { rev: 3, ...current } }) as unknown as PendingWrite

describe('a blocked write and the saved version', () => {
  it('shows every sent field, texts to merge and others to choose', () => {
    const write = held(
      { content: 'mine', aiVisible: false, topics: ['Sea'] },
      { content: 'theirs', aiVisible: true, topics: [{ id: 't', name: 'Harbour', color: 'moss' }], title: 'untouched' },
    )
    expect(conflictFields(write)).toEqual([
      { name: 'content', label: 'Content', yours: 'mine', current: 'theirs' },
      { name: 'aiVisible', label: 'Ai visible', yours: 'No', current: 'Yes', choiceOnly: true },
      { name: 'topics', label: 'Topics', yours: 'Sea', current: 'Harbour', choiceOnly: true },
    ])
  })

  it('sends the chosen values and omits fields where the saved value stays', () => {
    const write = held({ content: 'mine', aiVisible: false, topics: ['Sea'] }, { content: 'theirs', aiVisible: true })
    expect(resolvedBody(write, { content: 'both', aiVisible: 'Yes', topics: 'Sea' })).toEqual({
      content: 'both',
      topics: ['Sea'],
    })
    expect(resolvedBody(write, { content: 'theirs', aiVisible: 'Yes', topics: '' })).toEqual({})
  })
})

describe('two texts', () => {
  it('are marked word by word where they differ', () => {
    expect(piecesOf('The gate sings.', 'The gate weeps.').filter(({ own }) => own)).toEqual([
      { text: 'sings', own: true },
    ])
    expect(
      piecesOf('The gate sings.', 'The gate weeps.')
        .map(({ text }) => text)
        .join(''),
    ).toBe('The gate sings.')
  })

  it('are combined with every line of both, in order', () => {
    expect(bothTexts('a\nsaved\nc', 'a\nown\nc')).toBe('a\nsaved\nown\nc')
    expect(bothTexts('same', 'same')).toBe('same')
    expect(bothTexts('', 'own')).toBe('own')
  })
})
