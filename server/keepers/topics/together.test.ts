import { describe, expect, it } from 'vitest'
import { comingAlong } from './together.ts'

const topics = ['Boat', 'Anchor', 'Storm'].map((name) => ({ id: name[0] ?? '', name }))
const beside = (ids: string) => Array.from(ids, (topic_id) => ({ topic_id }))

describe('related topics', () => {
  it('are sorted by count, then by name, without unrelated ones', () => {
    expect(comingAlong(beside('BAB'), topics).map(({ name, count }) => [name, count])).toEqual([
      ['Boat', 2],
      ['Anchor', 1],
    ])
    expect(comingAlong(beside('BA'), topics).map(({ name }) => name)).toEqual(['Anchor', 'Boat'])
  })

  it('exclude deleted and merged topics', () => {
    expect(comingAlong(beside('BXX'), topics).map(({ name }) => name)).toEqual(['Boat'])
  })

  it('are limited to twelve', () => {
    const many = Array.from({ length: 20 }, (_, at) => ({ id: String(at), name: String(at) }))
    const links = many.map(({ id }) => ({ topic_id: id }))
    expect(comingAlong(links, many)).toHaveLength(12)
  })
})
