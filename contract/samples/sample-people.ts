import type { AuditEvent } from '../administration/audit.ts'
import type { Invitation } from '../domains/invitations.ts'
import type { DomainPerson } from '../domains/people.ts'
import { demoIds } from './demo-ids.ts'
import { sampleDomain } from './sample-domain.ts'

function createPerson(
  id: string,
  name: string,
  relation: DomainPerson['relation'],
  journeyIds: string[],
  since: string,
): DomainPerson {
  return {
    domainId: sampleDomain.id,
    domainName: sampleDomain.name,
    id: `${demoIds.domain}.${id}`,
    userId: id,
    invitationId: null,
    name,
    email: `${id}@willowbrook.example`,
    avatar: null,
    relation,
    status: 'active',
    since: `${since}T09:00:00.000Z`,
    expiresAt: null,
    lastActiveAt: '2026-11-19',
    journeyIds,
    note: '',
    mayChange: false,
  }
}

const createInvitedPerson = (id: string, email: string, relation: DomainPerson['relation']): DomainPerson => ({
  ...createPerson(id, '', relation, [], '2026-11-15'),
  id,
  userId: null,
  invitationId: id,
  name: null,
  email,
  status: 'pending',
  expiresAt: '2026-11-29T09:00:00.000Z',
  lastActiveAt: null,
})

const samplePeople: DomainPerson[] = [
  createPerson('maren', 'Maren Lindqvist', 'owner', ['harbour', 'kitchen'], '2026-01-04'),
  createPerson('ida', 'Ida Berg', 'admin', ['harbour', 'choir'], '2026-02-11'),
  createPerson('tor', 'Tor Solheim', 'user', ['harbour', 'kitchen'], '2026-03-02'),
  createPerson('june', 'June Okafor', 'user', ['choir'], '2026-03-20'),
  createPerson('sam', 'Sam Rivera', 'friend', ['choir'], '2026-05-06'),
  createPerson('noor', 'Noor Haddad', 'friend', ['kitchen'], '2026-06-18'),
  createPerson('eli', 'Eli Stern', 'connection', [], '2026-09-01'),
  createInvitedPerson('pia', 'pia@willowbrook.example', 'friend'),
  createInvitedPerson('otto', 'otto@willowbrook.example', 'user'),
]

const getPersonRef = (id: string) => ({ id, name: samplePeople.find(({ userId }) => userId === id)?.name ?? null })

function createEvent(
  at: string,
  action: AuditEvent['action'],
  actor: string,
  to: string | null,
  subject: string | null = null,
  details: AuditEvent['details'] = {},
): AuditEvent {
  return {
    id: `${at} ${action}`,
    at,
    action,
    actor: getPersonRef(actor),
    person: to === null ? null : getPersonRef(to),
    domain: { id: sampleDomain.id, name: sampleDomain.name },
    subject,
    details,
  }
}

function createInvitation(id: string, email: string, state: Invitation['state'], role: Invitation['role']): Invitation {
  return {
    id,
    domainId: sampleDomain.id,
    email,
    role,
    note: '',
    state,
    createdAt: '2026-11-15T09:00:00.000Z',
    sentAt: '2026-11-15T09:00:00.000Z',
    expiresAt: '2026-11-29T09:00:00.000Z',
    acceptedAt: state === 'accepted' ? '2026-11-16T18:20:00.000Z' : null,
    invitedBy: getPersonRef('maren'),
    acceptedBy: state === 'accepted' ? getPersonRef('eli') : null,
  }
}

export const sampleDomainPeople = {
  people: samplePeople,
  domains: [{ id: sampleDomain.id, name: sampleDomain.name, role: null, canManage: false }],
  summary: { total: 9, active: 7, pending: 2, domains: 1, journeys: 3 },
  journeys: [
    { id: 'harbour', domainId: sampleDomain.id, title: 'Spring to first ice', ownerId: 'maren' },
    { id: 'kitchen', domainId: sampleDomain.id, title: 'Father’s kitchen', ownerId: 'tor' },
    { id: 'choir', domainId: sampleDomain.id, title: 'Quay Choir season', ownerId: 'ida' },
  ],
  samples: {
    activity: [
      createEvent('2026-11-19T17:05:00.000Z', 'member-role-changed', 'maren', 'ida', 'admin', {
        from: 'user',
        to: 'admin',
      }),
      createEvent('2026-11-19T08:12:00.000Z', 'journey-shared', 'ida', null),
      createEvent('2026-11-16T18:20:00.000Z', 'invitation-accepted', 'eli', null, 'connection'),
      createEvent('2026-11-15T09:00:00.000Z', 'invitation-sent', 'maren', null, 'friend'),
    ],
    invitations: [
      createInvitation('pia', 'pia@willowbrook.example', 'open', 'friend'),
      createInvitation('otto', 'otto@willowbrook.example', 'open', 'user'),
      createInvitation('eli', 'eli@willowbrook.example', 'accepted', 'connection'),
      createInvitation('ruth', 'ruth@willowbrook.example', 'expired', 'friend'),
    ],
  },
}
