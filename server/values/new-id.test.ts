import { expect, test } from 'vitest'
import { newId, newUnguessableId } from './new-id.ts'

const now = Date.UTC(2026, 10, 22)

test('ids sort by creation, even within one millisecond', () => {
  const early = Array.from({ length: 600 }, () => newId(now))
  const late = Array.from({ length: 600 }, () => newId(now + 1))
  expect(new Set([...early, ...late]).size).toBe(1200)
  expect([...late, ...early].toSorted()).toEqual([...early, ...late])
  for (const id of [...early, ...late]) expect(id).toMatch(/^[0-9a-f]{32}$/)
})

test('the ends of ids are unordered, so short forms take them', () => {
  const ends = Array.from({ length: 600 }, () => newId(now).slice(-8))
  expect(new Set(ends).size).toBe(600)
  expect(ends).not.toEqual(ends.toSorted())
})

test('a clock before 1970 yields valid ids', () => {
  expect(newId(-5)).toMatch(/^0{12}[0-9a-f]{20}$/)
})

test('an unguessable id contains no time', () => {
  const ids = Array.from({ length: 600 }, () => newUnguessableId())
  expect(new Set(ids.map((id) => id.slice(0, 12))).size).toBe(600)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/)
})
