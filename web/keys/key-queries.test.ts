import { expect, it } from 'vitest'
import { ApiError, NetworkError } from '#web/api/api.ts'
import { getPlatformLoadErrorText } from './key-queries.ts'

it('the text says why platform keys failed to load', () => {
  const refused = new ApiError({ status: 500, statusText: 'Internal Server Error' }, '{}')
  expect(getPlatformLoadErrorText(refused)).toBe(
    'Failed to load platform API keys: Failed to load platform keys: 500 Internal Server Error',
  )
  expect(getPlatformLoadErrorText(new NetworkError('The server couldn’t be reached.'))).toBe(
    'Failed to load platform API keys: The server couldn’t be reached.',
  )
})
