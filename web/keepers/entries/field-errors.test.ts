import { expect, test } from 'vitest'
import { toFieldErrors } from './field-errors.ts'

test('the error of a list item also shows at its field', () => {
  expect(toFieldErrors({ 'tags.2': 'Too long.', title: 'Missing.' })).toEqual({
    'tags.2': 'Too long.',
    tags: 'Too long.',
    title: 'Missing.',
  })
})
