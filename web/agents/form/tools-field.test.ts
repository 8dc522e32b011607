import { expect, test } from 'vitest'
import { getListItemAt, replaceListItem } from './tools-field.tsx'

test('the entry at the caret is the one being typed', () => {
  expect(getListItemAt('', 0)).toEqual({ typed: '', from: 0, to: 0 })
  expect(getListItemAt('read, sea', 9)).toEqual({ typed: 'sea', from: 5, to: 9 })
  expect(getListItemAt('read, sea, run', 3)).toEqual({ typed: 'rea', from: 0, to: 4 })
  expect(getListItemAt('read,', 5)).toEqual({ typed: '', from: 5, to: 5 })
})

test('a picked name replaces the typed text and moves the caret', () => {
  expect(replaceListItem('', 0, 'read_sole')).toEqual({ text: 'read_sole, ', caret: 11 })
  expect(replaceListItem('read_sole, sea', 14, 'search_memory')).toEqual({
    text: 'read_sole, search_memory, ',
    caret: 26,
  })
  expect(replaceListItem('re, run_agent', 2, 'read_sole')).toEqual({ text: 'read_sole, run_agent', caret: 11 })
})
