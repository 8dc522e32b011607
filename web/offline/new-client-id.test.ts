import { expect, test } from 'vitest'
import { idInTheMaking, newClientId } from './new-client-id.ts'

test('what is written here keeps its id from the first word on; what was found here is another one once it is changed', () => {
  const id = newClientId()
  expect(idInTheMaking({ value: { id }, restored: false })).toBe(id)
  expect(idInTheMaking({ value: { id: '' }, restored: false })).toMatch(/^[0-9a-f]{32}$/)
  const changed = idInTheMaking({ value: { id }, restored: true })
  expect(changed).toMatch(/^[0-9a-f]{32}$/)
  expect(changed).not.toBe(id)
})
