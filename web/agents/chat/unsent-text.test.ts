import { expect, test } from 'vitest'
import { removeSentText, restoreText } from './unsent-text.ts'

test('refused text goes back before newer text, once', () => {
  expect(restoreText(' Is anybody there? ', '')).toBe(' Is anybody there? ')
  expect(restoreText('Is anybody there?', ' \n')).toBe('Is anybody there?')
  const both = restoreText('Is anybody there?', 'And what of Tuesday? ')
  expect(both).toBe('Is anybody there?\n\nAnd what of Tuesday? ')
  expect(restoreText('Is anybody there?', both), 'a text refused twice is listed once').toBe(both)
  expect(restoreText('Is anybody there?', 'Is anybody there? Or is it late?')).toBe(
    'Is anybody there?\n\nIs anybody there? Or is it late?',
  )
})

test('resent text leaves the box, later text stays', () => {
  expect(removeSentText('Is anybody there?', 'Is anybody there?')).toBe('')
  expect(removeSentText(' Is anybody there?', 'Is anybody there?\n\nAnd what of Tuesday?')).toBe('And what of Tuesday?')
  expect(removeSentText('Is anybody there?', 'Is anybody there? Or is it late?')).toBe(
    'Is anybody there? Or is it late?',
  )
  expect(removeSentText('Is anybody there?', 'And what of Tuesday?')).toBe('And what of Tuesday?')
})
