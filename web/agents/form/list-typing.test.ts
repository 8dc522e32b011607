import { expect, test } from 'vitest'
import { entryAt, withEntry } from './list-typing.ts'

test('the entry at the caret is the one being typed', () => {
  expect(entryAt('', 0)).toEqual({ typed: '', from: 0, to: 0 })
  expect(entryAt('read, sea', 9)).toEqual({ typed: 'sea', from: 5, to: 9 })
  expect(entryAt('read, sea, run', 3)).toEqual({ typed: 'rea', from: 0, to: 4 })
  expect(entryAt('read,', 5)).toEqual({ typed: '', from: 5, to: 5 })
})

test('a picked name replaces the typed text and moves the caret', () => {
  expect(withEntry('', 0, 'read_sole')).toEqual({ text: 'read_sole, ', caret: 11 })
  expect(withEntry('read_sole, sea', 14, 'search_memory')).toEqual({ text: 'read_sole, search_memory, ', caret: 26 })
  expect(withEntry('re, run_agent', 2, 'read_sole')).toEqual({ text: 'read_sole, run_agent', caret: 11 })
})
