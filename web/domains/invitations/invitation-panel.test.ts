import { expect, it } from 'vitest'
import type { Invitation } from '#contract/domains/invitations.ts'
import { isStillOpen } from './invitation-panel.tsx'

const sentAt = '2026-11-20T08:00:00.000Z'
const created = { id: 'a', sentAt }
const listed = (changes: Partial<Invitation> = {}) => [{ ...created, state: 'open', ...changes } as Invitation]

it.each<[string, readonly Invitation[], boolean]>([
  ['it is open', listed(), true],
  ['the list is older', listed({ sentAt: '2026-11-19T08:00:00.000Z', state: 'expired' }), true],
  ['the list does not contain it', [], true],
  ['it was revoked', listed({ state: 'revoked' }), false],
  ['it was accepted', listed({ state: 'accepted' }), false],
  ['it was sent again', listed({ sentAt: '2026-11-21T08:00:00.000Z' }), false],
])('a new link is offered only while it works: %s', (_, list, offered) => {
  expect(isStillOpen(created, list)).toBe(offered)
})
