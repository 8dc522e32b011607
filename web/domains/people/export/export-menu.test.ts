import { describe, expect, it } from 'vitest'
import type { DomainPerson } from '#contract/domains/people.ts'
import { toPeopleCsv, toPeopleVcards } from './export-menu.tsx'

const ben: DomainPerson = {
  id: 'home.ben',
  domainId: 'home',
  domainName: 'Willowbrook',
  userId: 'ben',
  invitationId: null,
  name: 'Haugen, "Ben"',
  email: 'ben@willowbrook.example',
  avatar: null,
  relation: 'friend',
  status: 'active',
  since: '2026-02-03T10:00:00.000Z',
  expiresAt: null,
  lastActiveAt: '2026-11-20',
  journeyIds: ['harbour'],
  note: '=1+1',
  mayChange: true,
}
const journeys = [{ id: 'harbour', domainId: 'home', title: '+ Spring', ownerId: 'ada' }]

describe('people as CSV', () => {
  it('quotes commas and quotation marks and neutralizes formulas', () => {
    expect(toPeopleCsv([ben], journeys)).toBe(
      '\uFEFFName,Email,Role,Status,Domain,Since,Last active,Journeys,Note\r\n' +
        `"Haugen, ""Ben""",ben@willowbrook.example,Friend,Active,Willowbrook,2026-02-03,2026-11-20,'+ Spring,'=1+1\r\n`,
    )
  })
})

describe('people as vCard', () => {
  it('creates one card per person and escapes separators', () => {
    const inChoir = { ...ben, id: 'choir.ben', domainName: 'Quay; Choir', relation: 'admin' as const }
    expect(toPeopleVcards([ben, inChoir])).toBe(
      [
        'BEGIN:VCARD',
        'VERSION:4.0',
        'FN:Haugen\\, "Ben"',
        'EMAIL:ben@willowbrook.example',
        'CATEGORIES:Willowbrook friend,Quay\\; Choir admin',
        'END:VCARD',
        '',
      ].join('\r\n'),
    )
  })

  it('escapes line breaks and folds long lines between characters', () => {
    const card = toPeopleVcards([{ ...ben, name: `Ida\r\nEMAIL:other@example.com ${'å'.repeat(60)}` }])
    expect(card).toContain('FN:Ida\\nEMAIL:other@example.com')
    const lines = card.split('\r\n')
    expect(Math.max(...lines.map((line) => new TextEncoder().encode(line).length))).toBeLessThanOrEqual(75)
    expect(card.replaceAll('\r\n ', '')).toContain('å'.repeat(60))
  })
})
