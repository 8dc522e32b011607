import { Download } from 'lucide-react'
import { formatCsvHeader, formatCsvLine } from '#contract/csv-line.ts'
import { type DomainRole, domainRoles } from '#contract/domains/domain-actions.ts'
import type { DomainPeople, DomainPerson } from '#contract/domains/people.ts'
import { convertCanvasToPng, saveFile } from '#web/files/save-file.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'
import { roleNames } from '#web/ui/text/domain-role-texts.ts'
import { fitLine } from '#web/ui/text/fit-text.ts'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { type CardBox, findCompanions, toCompanionPath } from '../companions.ts'
import type { PeopleBoardData } from '../people-board-data.ts'
import { getPersonSubtitle } from '../person-avatar.tsx'

type Journeys = DomainPeople['journeys']

/** Starts with a byte order mark, so that Excel detects UTF-8. */
export function toPeopleCsv(people: readonly DomainPerson[], journeys: Journeys): string {
  const titles = new Map(journeys.map(({ id, title }) => [id, title]))
  const headerRow = ['Name', 'Email', 'Role', 'Status', 'Domain', 'Since', 'Last active', 'Journeys', 'Note']
  const rows = people.map((person) => [
    person.name ?? '',
    person.email ?? '',
    roleNames[person.relation],
    person.status === 'active' ? 'Active' : 'Pending',
    person.domainName,
    person.since.slice(0, 10),
    person.lastActiveAt ?? '',
    person.journeyIds.map((id) => titles.get(id) ?? id).join('; '),
    person.note,
  ])
  return formatCsvHeader(headerRow) + rows.map(formatCsvLine).join('')
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

const pageWidth = 1440
const pageMargin = 32
const zoneGap = 16
const cardSize = { height: 54, gap: 10 }
const headSize = { page: 78, zone: 50 }
const maxPerZone = 40

async function drawPeople(people: readonly DomainPerson[], journeys: DomainPeople['journeys']): Promise<Blob> {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser can’t draw images.')
  await document.fonts.ready
  const peopleByZone = Map.groupBy(people, ({ relation }) => relation)
  const getVisible = (zone: DomainRole) => (peopleByZone.get(zone) ?? []).slice(0, maxPerZone)
  const maxZoneLength = Math.max(1, ...domainRoles.map((zone) => getVisible(zone).length))
  const zoneHeight = headSize.zone + maxZoneLength * (cardSize.height + cardSize.gap) + 30
  const height = headSize.page + zoneHeight + pageMargin * 2
  const scale = 2
  canvas.width = pageWidth * scale
  canvas.height = height * scale
  context.scale(scale, scale)

  const style = getComputedStyle(document.documentElement)
  const getColor = (name: string) => style.getPropertyValue(`--k-${name}`).trim()
  const serif = style.getPropertyValue('--font-serif') || 'serif'
  const sans = style.getPropertyValue('--font-sans') || 'sans-serif'
  const drawText = (text: string, x: number, y: number, font: string, ink: string, maxWidth: number) => {
    context.font = font
    context.fillStyle = getColor(ink)
    context.fillText(
      fitLine((part) => context.measureText(part).width, text, maxWidth),
      x,
      y,
    )
  }
  const drawBox = (x: number, y: number, boxWidth: number, boxHeight: number, fill: string, radius: number) => {
    context.beginPath()
    context.roundRect(x, y, boxWidth, boxHeight, radius)
    context.fillStyle = getColor(fill)
    context.fill()
    context.strokeStyle = getColor('border')
    context.lineWidth = 1
    context.stroke()
  }

  context.fillStyle = getColor('background')
  context.fillRect(0, 0, pageWidth, height)
  drawText('People', pageMargin, pageMargin + 34, `500 34px ${serif}`, 'foreground', pageWidth - pageMargin * 2)
  const zoneWidth = (pageWidth - pageMargin * 2 - zoneGap * (domainRoles.length - 1)) / domainRoles.length
  const positions = new Map<string, CardBox>()
  for (const [index, zone] of domainRoles.entries()) {
    const x = pageMargin + index * (zoneWidth + zoneGap)
    const y = pageMargin + headSize.page
    const zonePeople = peopleByZone.get(zone) ?? []
    drawBox(x, y, zoneWidth, zoneHeight, 'muted', 12)
    drawText(
      `${roleNames[zone]}  ${zonePeople.length}`,
      x + 14,
      y + 32,
      `500 19px ${serif}`,
      'foreground',
      zoneWidth - 28,
    )
    for (const [row, person] of getVisible(zone).entries())
      positions.set(person.id, {
        x: x + 12,
        y: y + headSize.zone + row * (cardSize.height + cardSize.gap),
        width: zoneWidth - 24,
        height: cardSize.height,
      })
    if (zonePeople.length > maxPerZone)
      drawText(
        `and ${zonePeople.length - maxPerZone} more`,
        x + 14,
        y + zoneHeight - 12,
        `400 13px ${sans}`,
        'muted-foreground',
        zoneWidth - 28,
      )
  }
  drawCompanions(context, getColor('ribbon'), people, journeys, positions)
  for (const person of people) {
    const position = positions.get(person.id)
    if (!position) continue
    drawBox(position.x, position.y, position.width, position.height, 'card', 8)
    drawText(
      getPersonName(person),
      position.x + 12,
      position.y + 24,
      `500 16px ${serif}`,
      'foreground',
      position.width - 24,
    )
    const subtitle = getPersonSubtitle(person) || person.domainName
    drawText(subtitle, position.x + 12, position.y + 42, `400 12px ${sans}`, 'muted-foreground', position.width - 24)
  }
  return convertCanvasToPng(canvas)
}

function drawCompanions(
  context: CanvasRenderingContext2D,
  ink: string,
  people: readonly DomainPerson[],
  journeys: DomainPeople['journeys'],
  positions: ReadonlyMap<string, CardBox>,
) {
  context.strokeStyle = ink
  context.globalAlpha = 0.7
  for (const { firstId, secondId, journeys: shared } of findCompanions(people, journeys)) {
    const [from, to] = [positions.get(firstId), positions.get(secondId)]
    if (!from || !to) continue
    context.lineWidth = Math.min(1 + shared.length * 0.6, 4)
    context.stroke(new Path2D(toCompanionPath(from, to)))
  }
  context.globalAlpha = 1
}
