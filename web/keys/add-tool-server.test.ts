import { expect, test } from 'vitest'
import { checkToolServer } from './add-tool-server.tsx'

test('a tool server needs a name and an address', () => {
  expect(checkToolServer({ name: ' ', url: '' })).toEqual({ name: 'Enter a name.', url: 'Enter an address.' })
  expect(checkToolServer({ name: 'notes', url: 'https://example.com/mcp' })).toEqual({})
})
