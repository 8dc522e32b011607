import { expect, test } from 'vitest'
import { putBack, takenOut } from './words-in-box.ts'

test('refused text goes back before newer text, once', () => {
  expect(putBack(' Is anybody there? ', '')).toBe(' Is anybody there? ')
  expect(putBack('Is anybody there?', ' \n')).toBe('Is anybody there?')
  const both = putBack('Is anybody there?', 'And what of Tuesday? ')
  expect(both).toBe('Is anybody there?\n\nAnd what of Tuesday? ')
  expect(putBack('Is anybody there?', both), 'refused again it is there once').toBe(both)
  expect(putBack('Is anybody there?', 'Is anybody there? Or is it late?')).toBe(
    'Is anybody there?\n\nIs anybody there? Or is it late?',
  )
})

test('resent text leaves the box, later text stays', () => {
  expect(takenOut('Is anybody there?', 'Is anybody there?')).toBe('')
  expect(takenOut(' Is anybody there?', 'Is anybody there?\n\nAnd what of Tuesday?')).toBe('And what of Tuesday?')
  expect(takenOut('Is anybody there?', 'Is anybody there? Or is it late?')).toBe('Is anybody there? Or is it late?')
  expect(takenOut('Is anybody there?', 'And what of Tuesday?')).toBe('And what of Tuesday?')
})
