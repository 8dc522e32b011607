import { expect, test } from 'vitest'
import { normalizeLineEndings, restoreLineEndings } from './code-snippet.tsx'

test('keeps the line endings of unchanged text', () => {
  expect(restoreLineEndings('a\r\nb\r\n', 'a\nb\n')).toBe('a\r\nb\r\n')
  expect(restoreLineEndings('a\nb\n', 'a\nb\n')).toBe('a\nb\n')
  expect(restoreLineEndings('a\rb\r\nc\n', 'a\nb\nc\n')).toBe('a\rb\r\nc\n')
})

test('keeps line endings around a change and uses the most common for new lines', () => {
  expect(restoreLineEndings('one\r\ntwo\r\nthree', 'one\n2\nthree')).toBe('one\r\n2\r\nthree')
  expect(restoreLineEndings('one\r\nthree\nfour\r\n', 'one\ntwo\nthree\nfour\n')).toBe('one\r\ntwo\r\nthree\nfour\r\n')
  expect(restoreLineEndings('one\r\ntwo\r\n', 'one\n')).toBe('one\r\n')
})

test('keeps trailing whitespace', () => {
  expect(restoreLineEndings('\ta  \r\n\r\n b\t', '\ta  \n\n b\tc ')).toBe('\ta  \r\n\r\n b\tc ')
})

test('returns unchanged text byte for byte', () => {
  for (const text of ['', '\r', '\r\n\r\n', 'x\n\r', ' \r\n\t\n\r x', 'no end']) {
    expect(restoreLineEndings(text, normalizeLineEndings(text))).toBe(text)
  }
})
