import { expect, it } from 'vitest'
import { ApiError, NetworkError } from '#web/api/api.ts'
import { getReasonText } from './reason-text.ts'

const createApiError = (body: string) => new ApiError({ status: 500, statusText: 'Internal Server Error' }, body)

it('the server’s message comes first, else the attempted action', () => {
  expect(getReasonText(createApiError('{"success":false,"error":"The shelf is full."}'), 'Failed to load logs')).toBe(
    'The shelf is full.',
  )
  for (const body of ['', '<h1>Bad Gateway</h1>', '{"success":false}'])
    expect(getReasonText(createApiError(body), 'Failed to load logs')).toBe('Failed to load logs')
})

it('network errors are reported as such, unknown ones generically', () => {
  const networkError = new NetworkError('The server couldn’t be reached.')
  expect(getReasonText(networkError, 'Failed to load logs')).toBe('The server couldn’t be reached.')
  expect(getReasonText('thrown', 'Failed to load logs')).toBe('Failed to load logs')
  expect(getReasonText(createApiError(''))).toBe('HTTP error! status: 500')
  expect(getReasonText('thrown')).toBe('No reason was given.')
})
