import { describe, expect, it } from 'vitest'
import { combineTexts, getDiffSegments } from '#web/ui/text/compare-texts.ts'
import { getConflictFields } from './conflict-dialog.tsx'
import { getFieldLabel } from './version-views.tsx'

describe('the fields of a conflict', () => {
  it('are the written fields that differ, with their texts', () => {
    const local = { content: 'mine', aiVisible: false, topics: ['Sea'], pinned: true, keeperId: 'k' }
    const remote = {
      content: 'theirs',
      aiVisible: true,
      pinned: true,
      title: 'untouched',
      topics: [{ id: 't', name: 'Harbour', color: 'moss' }],
    }
    expect(getConflictFields(local, remote)).toEqual([
      { name: 'content', local: 'mine', remote: 'theirs', isText: true },
      { name: 'aiVisible', local: 'No', remote: 'Yes', isText: false },
      { name: 'topics', local: 'Sea', remote: 'Harbour', isText: false },
    ])
  })

  it.each([
    ['content', 'Text'],
    ['aiVisible', 'Agents can read it'],
    ['topics', 'Topics'],
    ['due_onDay', 'Due on day'],
  ])('have labels: %s is called %s', (name, label) => {
    expect(getFieldLabel(name)).toBe(label)
  })

  it('show a chosen id as a choice and an empty value as nothing', () => {
    const local = { audioId: '0af', tags: ['a'], mood: { score: 1, label: null } }
    const remote = { audioId: '0be', tags: [], mood: { score: -1, label: 'tired' } }
    expect(getConflictFields(local, remote)).toMatchObject([
      { local: 'Your choice', remote: 'Saved now' },
      { local: 'a', remote: '' },
      { local: '1', remote: 'tired' },
    ])
    const formatMood = (name: string) => (name === 'mood' ? 'A mood' : undefined)
    expect(getConflictFields({ mood: local.mood }, remote, formatMood)).toMatchObject([{ local: 'Your choice' }])
  })

  it('cannot edit a hidden text together', () => {
    const fields = getConflictFields({ message: 'mine' }, { message: ['The sealed text'] })
    expect(fields).toMatchObject([{ local: 'mine', remote: 'The sealed text', isText: false }])
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
    expect(combineTexts('a\r\nsaved\r\nc', 'a\nown\nc')).toBe('a\nsaved\nown\nc')
    expect(combineTexts('', 'own')).toBe('own')
  })
})
