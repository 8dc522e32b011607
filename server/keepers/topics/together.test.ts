import { describe, expect, it } from 'vitest'
import { comingAlong } from './together.ts'

const topics = ['Boat', 'Anchor', 'Storm'].map((name) => ({ id: name[0] ?? '', name }))
const beside = (ids: string) => Array.from(ids, (topic_id) => ({ topic_id }))

describe('topics that come along', () => {
  it('those that come most often are first, equal ones by name, those that never come are not there', () => {
    expect(comingAlong(beside('BAB'), topics).map(({ name, count }) => [name, count])).toEqual([
      ['Boat', 2],
      ['Anchor', 1],
    ])
    expect(comingAlong(beside('BA'), topics).map(({ name }) => name)).toEqual(['Anchor', 'Boat'])
  })

  it('a topic that is in the bin or merged is not told of', () => {
    expect(comingAlong(beside('BXX'), topics).map(({ name }) => name)).toEqual(['Boat'])
  })

  it('at most twelve are told', () => {
    const many = Array.from({ length: 20 }, (_, at) => ({ id: String(at), name: String(at) }))
    const links = many.map(({ id }) => ({ topic_id: id }))
    expect(comingAlong(links, many)).toHaveLength(12)
  })
})
