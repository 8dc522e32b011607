import { expect, it } from 'vitest'
import type { AuditEvent } from '#contract/administration/audit.ts'
import { activityWords } from './activity-words.ts'

it('puts an article before a role', () => {
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
  expect(activityWords(event).did).toBe('changed Ben from an admin to a friend')
  expect(activityWords({ ...event, action: 'member-added', details: {} }).did).toBe('added Ben as a friend')
})
