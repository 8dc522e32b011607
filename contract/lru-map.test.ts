import { expect, it } from 'vitest'
import { LruMap } from './lru-map.ts'

it('an LRU map drops the least recently used entry', () => {
  const map = new LruMap<string, number>(2)
  map.set('a', 1).set('b', 2)
  expect(map.get('a')).toBe(1)
  map.set('c', 3)
  expect([...map]).toEqual([
    ['a', 1],
    ['c', 3],
  ])
  map.set('a', 4)
  map.set('d', 5)
  expect([...map]).toEqual([
    ['a', 4],
    ['d', 5],
  ])
  expect(map.get('c')).toBeUndefined()
})

it('an LRU map stores false and null, and a failed lookup adds nothing', () => {
  const map = new LruMap<string, boolean | null>(2)
  map.set('no', false).set('none', null)
  expect({ no: map.get('no'), none: map.get('none'), missing: map.get('missing'), size: map.size }).toEqual({
    no: false,
    none: null,
    missing: undefined,
    size: 2,
  })
  expect(map.get('no')).toBe(false)
  map.set('new', true)
  expect([...map.keys()]).toEqual(['no', 'new'])
})
