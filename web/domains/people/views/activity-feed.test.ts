import { expect, it } from 'vitest'
import type { AuditEvent } from '#contract/administration/audit.ts'
import { toActivitySentence } from './activity-feed.tsx'

it('a role in a sentence has an article', () => {
  const event: AuditEvent = {
    id: 'e',
    at: '2026-01-01T00:00:00.000Z',
    action: 'member-role-changed',
    actor: { id: 'a', name: 'Ada' },
    person: { id: 'b', name: 'Ben' },
    domain: null,
    subject: 'friend',
    details: { from: 'admin', to: 'friend' },
  }
  expect(toActivitySentence(event).predicate).toBe('changed Ben from an admin to a friend')
  expect(toActivitySentence({ ...event, action: 'member-added', details: {} }).predicate).toBe('added Ben as a friend')
})
