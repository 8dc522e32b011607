import { expect, it } from 'vitest'
import { readSettings } from '#server/settings.ts'
import { hashPassword } from './password.ts'

const settings = { ...readSettings({}), passwordCost: { memory: 64, passes: 1, parallelism: 1 } }

it('who comes from an address of their own is soon next, however many wait from another, and takes a place of theirs', async () => {
  const ended: string[] = []
  const hash = (address: string) =>
    hashPassword({ settings }, 'a password of somebody', address).then(
      () => ended.push(address),
      () => ended.push('refused'),
    )
  const flood = Array.from({ length: 60 }, () => hash('198.51.100.1'))
  await Promise.all([...flood, hash('203.0.113.1')])
  const carriedOut = ended.filter((what) => what !== 'refused')
  // One or two at once, by the cores there are, and fifty that wait, one of which gave way.
  expect([9, 10]).toContain(ended.length - carriedOut.length)
  expect(carriedOut.indexOf('203.0.113.1')).toBeGreaterThanOrEqual(0)
  expect(carriedOut.indexOf('203.0.113.1')).toBeLessThan(6)
})
