import { expect, it } from 'vitest'
import { ApiError, Unreachable } from '#web/api.ts'
import { reasonText } from './reason-text.ts'

const answered = (body: string) => new ApiError({ status: 500, statusText: 'Internal Server Error' }, body)

it('what the server said comes first, and what was tried stands in where it said nothing', () => {
  expect(reasonText(answered('{"success":false,"error":"The shelf is full."}'), 'Failed to load logs')).toBe(
    'The shelf is full.',
  )
  for (const body of ['', '<h1>Bad Gateway</h1>', '{"success":false}'])
    expect(reasonText(answered(body), 'Failed to load logs')).toBe('Failed to load logs')
})

it('a server out of reach is told as that; what is not known is not made up', () => {
  const away = new Unreachable('The server could not be reached.')
  expect(reasonText(away, 'Failed to load logs')).toBe('The server could not be reached.')
  expect(reasonText('thrown', 'Failed to load logs')).toBe('Failed to load logs')
  expect(reasonText(answered(''))).toBe('HTTP error! status: 500')
  expect(reasonText('thrown')).toBe('No reason was given.')
})
