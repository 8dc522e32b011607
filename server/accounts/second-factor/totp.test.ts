import { expect, it } from 'vitest'
import { computeTotp, findTotpStep, toBase32, toTotpStep, toTotpUri } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

// RFC 6238, appendix B, the last six digits.
it.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('the code at %d s matches the standard', (seconds, code) => {
  expect(computeTotp(secret, toTotpStep(seconds * 1000))).toBe(code)
})

it('a code is matched to its time step within the tolerance, on both sides', () => {
  const step = 41_152_263
  for (const distance of [-1, 0, 1])
    expect(findTotpStep(secret, computeTotp(secret, step + distance), step, 1)).toBe(step + distance)
  for (const distance of [-2, 2])
    expect(findTotpStep(secret, computeTotp(secret, step + distance), step, 1)).toBeUndefined()
  for (const code of ['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦'])
    expect(findTotpStep(secret, code, step, 10)).toBeUndefined()
})

it('a step ends at its thirtieth second', () => {
  expect([29_999, 30_000, 59_999].map(toTotpStep)).toEqual([0, 1, 1])
})

it('writes the secret and the address as authenticator apps read them', () => {
  expect(toBase32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  expect(toBase32(Uint8Array.of(0xff))).toBe('74')
  expect(toTotpUri(secret, 'ada+x@example.org')).toBe(
    'otpauth://totp/Keeper:ada%2Bx%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Keeper&algorithm=SHA1&digits=6&period=30',
  )
})
