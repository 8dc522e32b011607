import { describe, expect, it } from 'vitest'
import { findRelatedTopics } from './topic-view.ts'

const topics = ['Boat', 'Anchor', 'Storm'].map((name) => ({ id: name[0] ?? '', name }))
const createLinks = (ids: string) => Array.from(ids, (topic_id) => ({ topic_id }))

describe('related topics', () => {
  it('are sorted by count, then by name, without unrelated ones', () => {
    expect(findRelatedTopics(createLinks('BAB'), topics).map(({ name, count }) => [name, count])).toEqual([
      ['Boat', 2],
      ['Anchor', 1],
    ])
    expect(findRelatedTopics(createLinks('BA'), topics).map(({ name }) => name)).toEqual(['Anchor', 'Boat'])
  })

  it('exclude deleted and merged topics', () => {
    expect(findRelatedTopics(createLinks('BXX'), topics).map(({ name }) => name)).toEqual(['Boat'])
  })

  it('are limited to twelve', () => {
    const many = Array.from({ length: 20 }, (_, at) => ({ id: String(at), name: String(at) }))
    const links = many.map(({ id }) => ({ topic_id: id }))
    expect(findRelatedTopics(links, many)).toHaveLength(12)
  })
})
