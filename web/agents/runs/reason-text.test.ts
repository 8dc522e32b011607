import { expect, it } from 'vitest'
import { ApiError, Unreachable } from '#web/api.ts'
import { reasonText } from './reason-text.ts'

const answered = (body: string) => new ApiError({ status: 500, statusText: 'Internal Server Error' }, body)

it('the server’s message comes first, else the attempted action', () => {
  expect(reasonText(answered('{"success":false,"error":"The shelf is full."}'), 'Failed to load logs')).toBe(
    'The shelf is full.',
  )
  for (const body of ['', '<h1>Bad Gateway</h1>', '{"success":false}'])
    expect(reasonText(answered(body), 'Failed to load logs')).toBe('Failed to load logs')
})

it('network errors are reported as such, unknown ones generically', () => {
  const away = new Unreachable('The server could not be reached.')
  expect(reasonText(away, 'Failed to load logs')).toBe('The server could not be reached.')
  expect(reasonText('thrown', 'Failed to load logs')).toBe('Failed to load logs')
  expect(reasonText(answered(''))).toBe('HTTP error! status: 500')
  expect(reasonText('thrown')).toBe('No reason was given.')
})
