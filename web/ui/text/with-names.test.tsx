import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { withNames } from './with-names.tsx'

test('each name in a sentence keeps its own direction', () => {
  expect(renderToStaticMarkup(withNames`Move ${'أكتوبر'} to ${'<Garden>'}?`)).toBe(
    'Move <bdi>أكتوبر</bdi> to <bdi>&lt;Garden&gt;</bdi>?',
  )
})

test('a sentence without a name stays as it is', () => {
  expect(renderToStaticMarkup(withNames`Nothing moved.`)).toBe('Nothing moved.')
})
