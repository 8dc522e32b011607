import { expect, test } from 'vitest'
import { normalizeLineEndings } from '#web/ui/text/line-endings.ts'
import { restoreLineEndings } from './code-snippet.tsx'

test('unchanged text keeps its line endings', () => {
  expect(restoreLineEndings('a\r\nb\r\n', 'a\nb\n')).toBe('a\r\nb\r\n')
  expect(restoreLineEndings('a\nb\n', 'a\nb\n')).toBe('a\nb\n')
  expect(restoreLineEndings('a\rb\r\nc\n', 'a\nb\nc\n')).toBe('a\rb\r\nc\n')
})

test('edited text keeps other line endings; new lines use the most common ending', () => {
  expect(restoreLineEndings('one\r\ntwo\r\nthree', 'one\n2\nthree')).toBe('one\r\n2\r\nthree')
  expect(restoreLineEndings('one\r\nthree\nfour\r\n', 'one\ntwo\nthree\nfour\n')).toBe('one\r\ntwo\r\nthree\nfour\r\n')
  expect(restoreLineEndings('one\r\ntwo\r\n', 'one\n')).toBe('one\r\n')
})

test('edited text keeps trailing whitespace', () => {
  expect(restoreLineEndings('\ta  \r\n\r\n b\t', '\ta  \n\n b\tc ')).toBe('\ta  \r\n\r\n b\tc ')
})

test('unchanged text is returned byte for byte', () => {
  for (const text of ['', '\r', '\r\n\r\n', 'x\n\r', ' \r\n\t\n\r x', 'no end']) {
    expect(restoreLineEndings(text, normalizeLineEndings(text))).toBe(text)
  }
})
