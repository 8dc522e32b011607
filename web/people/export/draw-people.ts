import { type DomainRole, domainRoles } from '#contract/domains/domain-actions.ts'
import type { DomainPeople, DomainPerson } from '#contract/domains/people.ts'
import { roleNames } from '#web/domain-role-texts.ts'
import { convertCanvasToPng } from '#web/ui/canvas-to-png.ts'
import { fitLine } from '#web/ui/fit-text.ts'
import { getPersonName } from '#web/ui/person-name.ts'
import { findCompanions } from '../companions.ts'
import { getPersonSubtitle } from '../person-subtitle.ts'

const width = 1440
const margin = 32
const gap = 16
const card = { height: 54, gap: 10 }
const head = { page: 78, zone: 50 }
const maxPerZone = 40

interface CardPosition {
  x: number
  y: number
  width: number
}

export async function drawPeople(people: readonly DomainPerson[], journeys: DomainPeople['journeys']): Promise<Blob> {
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('This browser can’t draw images.')
  await document.fonts.ready
  const peopleByZone = Map.groupBy(people, ({ relation }) => relation)
  const getVisible = (zone: DomainRole) => (peopleByZone.get(zone) ?? []).slice(0, maxPerZone)
  const tallest = Math.max(1, ...domainRoles.map((zone) => getVisible(zone).length))
  const zoneHeight = head.zone + tallest * (card.height + card.gap) + 30
  const height = head.page + zoneHeight + margin * 2
  const scale = 2
  canvas.width = width * scale
  canvas.height = height * scale
  pen.scale(scale, scale)

  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(`--k-${name}`).trim()
  const serif = style.getPropertyValue('--font-serif') || 'serif'
  const sans = style.getPropertyValue('--font-sans') || 'sans-serif'
  const write = (text: string, x: number, y: number, font: string, ink: string, maxWidth: number) => {
    pen.font = font
    pen.fillStyle = colour(ink)
    pen.fillText(
      fitLine((part) => pen.measureText(part).width, text, maxWidth),
      x,
      y,
    )
  }
  const box = (x: number, y: number, w: number, h: number, fill: string, radius: number) => {
    pen.beginPath()
    pen.roundRect(x, y, w, h, radius)
    pen.fillStyle = colour(fill)
    pen.fill()
    pen.strokeStyle = colour('border')
    pen.lineWidth = 1
    pen.stroke()
  }

  pen.fillStyle = colour('background')
  pen.fillRect(0, 0, width, height)
  write('People', margin, margin + 34, `500 34px ${serif}`, 'foreground', width - margin * 2)
  const zoneWidth = (width - margin * 2 - gap * (domainRoles.length - 1)) / domainRoles.length
  const positions = new Map<string, CardPosition>()
  for (const [at, zone] of domainRoles.entries()) {
    const x = margin + at * (zoneWidth + gap)
    const y = margin + head.page
    const all = peopleByZone.get(zone) ?? []
    box(x, y, zoneWidth, zoneHeight, 'muted', 12)
    write(`${roleNames[zone]}  ${all.length}`, x + 14, y + 32, `500 19px ${serif}`, 'foreground', zoneWidth - 28)
    for (const [row, person] of getVisible(zone).entries())
      positions.set(person.id, {
        x: x + 12,
        y: y + head.zone + row * (card.height + card.gap),
        width: zoneWidth - 24,
      })
    if (all.length > maxPerZone)
      write(
        `and ${all.length - maxPerZone} more`,
        x + 14,
        y + zoneHeight - 12,
        `400 13px ${sans}`,
        'muted-foreground',
        zoneWidth - 28,
      )
  }
  drawCompanions(pen, colour('ribbon'), people, journeys, positions)
  for (const person of people) {
    const position = positions.get(person.id)
    if (!position) continue
    box(position.x, position.y, position.width, card.height, 'card', 8)
    write(
      getPersonName(person),
      position.x + 12,
      position.y + 24,
      `500 16px ${serif}`,
      'foreground',
      position.width - 24,
    )
    const second = getPersonSubtitle(person) || person.domainName
    write(second, position.x + 12, position.y + 42, `400 12px ${sans}`, 'muted-foreground', position.width - 24)
  }
  return convertCanvasToPng(canvas)
}

function drawCompanions(
  pen: CanvasRenderingContext2D,
  ink: string,
  people: readonly DomainPerson[],
  journeys: DomainPeople['journeys'],
  positions: ReadonlyMap<string, CardPosition>,
) {
  pen.strokeStyle = ink
  pen.globalAlpha = 0.7
  for (const { one, other, journeys: shared } of findCompanions(people, journeys)) {
    const [from, to] = [positions.get(one), positions.get(other)]
    if (!from || !to) continue
    const [y1, y2] = [from.y + card.height / 2, to.y + card.height / 2]
    pen.lineWidth = Math.min(1 + shared.length * 0.6, 4)
    pen.beginPath()
    if (from.x === to.x) {
      pen.moveTo(from.x, y1)
      pen.bezierCurveTo(from.x - 12, y1, to.x - 12, y2, to.x, y2)
    } else {
      const [x1, x2] = [from.x + from.width / 2, to.x + to.width / 2]
      pen.moveTo(x1, y1)
      pen.bezierCurveTo((x1 + x2) / 2, y1, (x1 + x2) / 2, y2, x2, y2)
    }
    pen.stroke()
  }
  pen.globalAlpha = 1
}
