import { Download } from 'lucide-react'
import { formatCsvLine } from '#contract/csv-line.ts'
import type { DomainPeople, DomainPerson } from '#contract/domains/people.ts'
import { saveFile } from '#web/files/save-file.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'
import { roleNames } from '#web/ui/text/domain-role-texts.ts'
import type { PeopleBoardData } from '../people-board-data.ts'
import { drawPeople } from './draw-people.ts'

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

interface PeopleExportMenuProps {
  board: PeopleBoardData
  people: readonly DomainPerson[]
  onFailed: (reason: string) => void
}

export function PeopleExportMenu({ board, people, onFailed }: PeopleExportMenuProps) {
  const saveText = (name: string, type: string, content: string) =>
    saveFile(new Blob([content], { type: `${type};charset=utf-8` }), name)

  async function savePicture() {
    try {
      saveFile(await drawPeople(people, board.journeys), 'keeper-people.png')
    } catch (reason) {
      onFailed(`The picture couldn’t be created. ${reason instanceof Error ? reason.message : ''}`)
    }
  }
  return (
    <Menu trigger={<Button icon={<Download aria-hidden size={14} />}>Export</Button>}>
      <MenuItem onSelect={() => saveText('keeper-people.csv', 'text/csv', toPeopleCsv(people, board.journeys))}>
        Spreadsheet (CSV)
      </MenuItem>
      <MenuItem onSelect={() => saveText('keeper-people.vcf', 'text/vcard', toPeopleVcards(people))}>
        Contacts (vCard)
      </MenuItem>
      <MenuItem onSelect={savePicture}>Picture of the canvas (PNG)</MenuItem>
    </Menu>
  )
}
