import { expect, test } from 'vitest'
import { formatRelativeDay, getRunUserName, parseOutput, truncateInput } from './log-texts.ts'
import { formatDuration, formatRunCost } from './run-texts.ts'

test('an input is cut after 100 whole characters', () => {
  expect(truncateInput('a'.repeat(100), 100)).toBe('a'.repeat(100))
  expect(truncateInput('🌊'.repeat(101), 100)).toBe(`${'🌊'.repeat(100)}…`)
})

test('a user is shown by name, else email, else id', () => {
  expect(getRunUserName({ id: 'u1', name: 'Ada', email: 'ada@x.y' })).toBe('Ada')
  expect(getRunUserName({ id: 'u1', name: null, email: 'ada@x.y' })).toBe('ada@x.y')
  expect(getRunUserName({ id: 'u1', name: null, email: null })).toBe('u1')
  expect(getRunUserName(null)).toBe('A visitor')
})

test('an output is parsed if it is JSON', () => {
  expect(parseOutput('{"a":1}')).toEqual({ a: 1 })
  expect(parseOutput('not json')).toBe('not json')
})

test('durations and costs are formatted briefly', () => {
  expect([812, 6420, 125_000, null].map(formatDuration)).toEqual(['812 ms', '6.42 s', '2 min 05 s', '–'])
  expect([0.0312, 1.5, 0, null, 0.0000123].map(formatRunCost)).toEqual(['$0.031', '$1.50', '$0', '–', '$0.000012'])
})

test('days are named relative to today', () => {
  const now = new Date(2026, 10, 20, 9)
  const day = (date: number) => formatRelativeDay(new Date(2026, 10, date, 22).toISOString(), now)
  expect([20, 19, 18, 3].map(day)).toEqual(['today', 'yesterday', 'Wednesday', 'November 3'])
})
