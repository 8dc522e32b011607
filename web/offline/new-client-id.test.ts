import { expect, test } from 'vitest'
import { idInTheMaking, newClientId } from './new-client-id.ts'

test('a new draft keeps its id, a changed restored draft gets a new one', () => {
  const id = newClientId()
  expect(idInTheMaking({ value: { id }, restored: false })).toBe(id)
  expect(idInTheMaking({ value: { id: '' }, restored: false })).toMatch(/^[0-9a-f]{32}$/)
  const changed = idInTheMaking({ value: { id }, restored: true })
  expect(changed).toMatch(/^[0-9a-f]{32}$/)
  expect(changed).not.toBe(id)
})
