import { expect, it } from 'vitest'
import { formatConsoleArgs } from './console-journal.ts'
import { formatInformation } from './system-information.ts'

it('a report has plain lines', () => {
  const text = formatInformation({
    version: '0.1.0',
    build: 'index-abc',
    user: 'Ada (1)',
    mode: 'Architect',
    route: '/root',
    theme: 'keeper-classic, light',
    browser: 'a browser',
    calls: [{ at: 0, method: 'GET', path: '/api/kip/agents', status: undefined, durationMs: 12 }],
    errors: [],
  })
  expect(text).toContain('route: /root')
  expect(text).toContain('00:00:00 GET /api/kip/agents no answer 12 ms')
  expect(text).toMatch(/last console errors:\nnone$/)
})

it('objects in a console line are shown only by type', () => {
  expect(formatConsoleArgs(['It failed', new TypeError('no'), { text: 'private' }, 7])).toBe(
    'It failed TypeError: no [Object] 7',
  )
})
