import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { AuditAction } from '#contract/administration/audit.ts'
import { memberRoles } from '#contract/domains/domains.ts'
import { detailFormatters, formatAuditSubject } from './audit-labels.ts'

const root = new URL('../../../', import.meta.url).pathname

function readLiteral(text: string, start: number): string {
  let depth = 0
  for (let index = start; index < text.length; index++) {
    if (text[index] === '{') depth++
    if (text[index] === '}' && --depth === 0) return text.slice(start, index + 1)
  }
  throw new Error('A literal without an end')
}

function readServerDetailKeys(): Set<string> {
  const keys = new Set<string>()
  for (const file of globSync('server/**/*.ts', { cwd: root })) {
    const text = file.endsWith('.test.ts') ? '' : readFileSync(`${root}${file}`, 'utf8')
    if (!text.includes('/audit/write-audit.ts')) continue
    for (const { index, 0: opening } of text.matchAll(/\bdetails(:| =) \{/g)) {
      const literal = readLiteral(text, index + opening.length - 1).replace(/'[^']*'|`[^`]*`/g, "''")
      for (const [, key = ''] of literal.matchAll(/[{,]\s*(\w+)\s*(?=[:,}])/g)) keys.add(key)
      for (const [, spread = ''] of literal.matchAll(/\.\.\.(\w+)/g)) {
        expect(spread, `${file} spreads an object that this test does not know`).toBe('rights')
        for (const role of memberRoles) keys.add(role)
      }
    }
  }
  return keys
}

it('there is a label for exactly the detail keys that the server writes', () => {
  expect([...readServerDetailKeys()].sort()).toEqual(['from', 'to', ...Object.keys(detailFormatters)].sort())
})

const formatSubject = (action: AuditAction, details: Record<string, string | null>, subject: string | null = null) =>
  formatAuditSubject({ action, subject, details })

it('a subject has the kind and last 8 characters of an ID, and no raw key', () => {
  const id = '0198c0de-1111-7222-8333-4444599f06f4'
  expect(formatSubject('board-link-made', { boardId: id })).toBe('Board 599f06f4')
  expect(formatSubject('keeper-shared', { keeperId: id, parts: 'moments sole', roles: 'admin friend' })).toBe(
    'Keeper 599f06f4, with Moments, SOLE, for admins and friends',
  )
  expect(formatSubject('journey-unshared', { journeyId: id })).toBe('Journey 599f06f4')
  expect(
    formatSubject('board-shared', { boardId: id, admin: 'edit', user: 'view', friend: 'none', connection: 'none' }),
  ).toBe('Board 599f06f4, Admins can edit, Users can view')
  expect(formatSubject('domain-changed', { changed: 'name, lead_agent_id' })).toBe('the name, the lead agent')
  expect(formatSubject('database-repaired', { applied: 'none', errors: '0' })).toBe('no migration was pending')
  expect(formatSubject('built-in-agents-repaired', { agents: 'kip', errors: '1' }, 'openai')).toBe(
    'openai, changed kip, 1 error',
  )
  expect(formatSubject('signed-in', { ofAnotherVersion: id })).toBe('')
})

it('a new value that names the subject is shown once', () => {
  expect(formatSubject('member-role-changed', { from: 'user', to: 'friend' }, 'friend')).toBe('User → Friend')
  expect(formatSubject('custom-domain-set', { from: null, to: 'quay.example' }, 'quay.example')).toBe(
    '– → quay.example',
  )
  expect(formatSubject('custom-domain-set', { from: 'quay.example', to: null }, 'quay.example')).toBe(
    'quay.example → –',
  )
  expect(formatSubject('platform-key-switched', { from: 'on', to: 'off' }, 'openai')).toBe('openai, on → off')
  expect(formatSubject('member-added', {}, 'friend')).toBe('Friend')
  expect(formatSubject('role-granted', {}, 'admin')).toBe('admin')
  expect(formatSubject('budget-set', { from: '$1.00', to: '$3.00', warnAtPercent: '60' }, 'visitors')).toMatch(
    /^\w[^_]*, \$1\.00 → \$3\.00, warns at 60%$/,
  )
})
