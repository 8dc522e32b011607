import { expect, test } from 'vitest'
import { createClientId, getDraftId } from './create-client-id.ts'

test('a new draft keeps its id, a changed restored draft gets a new one', () => {
  const id = createClientId()
  expect(getDraftId({ value: { id }, restored: false })).toBe(id)
  expect(getDraftId({ value: { id: '' }, restored: false })).toMatch(/^[0-9a-f]{32}$/)
  const changed = getDraftId({ value: { id }, restored: true })
  expect(changed).toMatch(/^[0-9a-f]{32}$/)
  expect(changed).not.toBe(id)
})
