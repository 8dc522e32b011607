import { expect, it } from 'vitest'
import type { Invitation } from '#contract/domains/invitations.ts'
import { isStillOpen } from './still-open.ts'

const sentAt = '2026-11-20T08:00:00.000Z'
const made = { id: 'a', sentAt }
const listed = (changes: Partial<Invitation> = {}) => [{ ...made, state: 'open', ...changes } as Invitation]

it.each<[string, readonly Invitation[], boolean]>([
  ['it is open', listed(), true],
  ['the list is one of before', listed({ sentAt: '2026-11-19T08:00:00.000Z', state: 'expired' }), true],
  ['the list does not know it', [], true],
  ['it was taken back', listed({ state: 'revoked' }), false],
  ['it was accepted', listed({ state: 'accepted' }), false],
  ['it was sent once more', listed({ sentAt: '2026-11-21T08:00:00.000Z' }), false],
])('a link that was just made is offered only while it works: %s', (_, list, offered) => {
  expect(isStillOpen(made, list)).toBe(offered)
})
