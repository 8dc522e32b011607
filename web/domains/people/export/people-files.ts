import { formatCsvLine } from '#contract/csv-line.ts'
import type { DomainPeople, DomainPerson } from '#contract/domains/people.ts'
import { roleNames } from '#web/ui/text/domain-role-texts.ts'

type Journeys = DomainPeople['journeys']

/** Starts with a byte order mark, so that Excel detects UTF-8. */
export function toPeopleCsv(people: readonly DomainPerson[], journeys: Journeys): string {
  const titles = new Map(journeys.map(({ id, title }) => [id, title]))
  const headerRow = ['Name', 'Email', 'Role', 'Status', 'Domain', 'Since', 'Last active', 'Journeys', 'Note']
  return `\uFEFF${[
    headerRow,
    ...people.map((person) => [
      person.name ?? '',
      person.email ?? '',
      roleNames[person.relation],
      person.status === 'active' ? 'Active' : 'Pending',
      person.domainName,
      person.since.slice(0, 10),
      person.lastActiveAt ?? '',
      person.journeyIds.map((id) => titles.get(id) ?? id).join('; '),
      person.note,
    ]),
  ]
    .map(formatCsvLine)
    .join('')}`
}

/** vCards (RFC 6350), one per person across domains. */
export function toPeopleVcards(people: readonly DomainPerson[]): string {
  const rowsByPerson = Map.groupBy(people, ({ userId, email }) => email?.toLowerCase() ?? userId)
  return [...rowsByPerson.values()]
    .map((rows) => {
      const [person] = rows
      const domains = [...new Set(rows.map(({ domainName, relation }) => `${domainName} ${relation}`))]
      return [
        'BEGIN:VCARD',
        'VERSION:4.0',
        `FN:${escapeVcardText(person?.name || person?.email || '')}`,
        ...(person?.email ? [`EMAIL:${escapeVcardText(person.email)}`] : []),
        `CATEGORIES:${domains.map(escapeVcardText).join(',')}`,
        'END:VCARD',
      ]
        .map(foldLine)
        .join('')
    })
    .join('')
}

function escapeVcardText(value: string): string {
  return (
    value
      .replace(/[\\,;]/g, '\\$&')
      .replace(/\r\n|\r|\n/g, '\\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: vCard values don’t allow control characters
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
  )
}

const maxOctets = 75

/** Folds lines longer than 75 octets without splitting a character. */
function foldLine(line: string): string {
  const encoder = new TextEncoder()
  let wrapped = ''
  let octets = 0
  for (const character of line) {
    const size = encoder.encode(character).length
    if (octets + size > maxOctets) {
      wrapped += '\r\n '
      octets = 1
    }
    wrapped += character
    octets += size
  }
  return `${wrapped}\r\n`
}
