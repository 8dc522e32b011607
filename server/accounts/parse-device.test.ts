import { describe, expect, it } from 'vitest'
import { parseDevice } from './sessions.ts'

const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)'

describe('a browser that signs in', () => {
  it.each([
    ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    ['Firefox on Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    ['Chrome on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/141.0.0.0 Safari/537.36`],
    ['Edge on Windows', `Mozilla/5.0 (Windows NT 10.0) ${blink} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`],
    ['Opera on macOS', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${blink} Chrome/141.0 Safari/537.36 OPR/120.0`],
    ['Safari on macOS', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/26.0 Safari/605.1.15`],
    [
      'Safari on iPhone',
      `Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${webkit} Version/19.0 Mobile/1 Safari/604.1`,
    ],
    [
      'Chrome on iPhone',
      `Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${webkit} CriOS/141.0 Mobile/1 Safari/604.1`,
    ],
    ['Chrome on Android', `Mozilla/5.0 (Linux; Android 16; Pixel 9) ${blink} Chrome/141.0 Mobile Safari/537.36`],
    [
      'Samsung Internet on Android',
      `Mozilla/5.0 (Linux; Android 16) ${blink} SamsungBrowser/28.0 Chrome/130.0 Safari/537.36`,
    ],
    ['Firefox', 'Mozilla/5.0 (Plan 9) Gecko/20100101 Firefox/140.0'],
  ])('%s', (name, userAgent) => expect(parseDevice(userAgent)).toBe(name))

  it.each([null, '', 'curl/8.5.0', 'node', 'Mozilla/5.0', '<script>alert(1)</script>', 'Firefox', 'x'.repeat(100_000)])(
    'is unknown for other clients: %#',
    (userAgent) => expect(parseDevice(userAgent)).toBeNull(),
  )

  it('is named only from our lists, whatever else it sent', () => {
    expect(parseDevice('Firefox/<b>140</b> on ada@willowbrook.example (Linux)')).toBe('Firefox on Linux')
  })

  it('is identified by the start of its user agent', () => {
    expect(parseDevice(`${'x '.repeat(300)}Firefox/140.0`)).toBeNull()
  })
})
