import { type DomainRole, domainRoles } from '#contract/domains/domain-deeds.ts'
import type { DomainPerson, PeopleOfDomains } from '#contract/domains/people.ts'
import { roleNames } from '#web/domain-role-words.ts'
import { canvasToPng } from '#web/ui/canvas-to-png.ts'
import { fitLine } from '#web/ui/fit-text.ts'
import { nameOf } from '#web/ui/name-of-person.ts'
import { companionsOf } from '../companions.ts'
import { secondLine } from '../second-line.ts'

const width = 1440
const margin = 32
const gap = 16
const card = { height: 54, gap: 10 }
const head = { page: 78, zone: 50 }
const mostInZone = 40

interface Place {
  x: number
  y: number
  width: number
}

/** Renders the canvas as a PNG in the current theme. Long names are cut, and large zones end in a count. */
export async function drawPeople(
  people: readonly DomainPerson[],
  journeys: PeopleOfDomains['journeys'],
): Promise<Blob> {
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('This browser can’t draw images.')
  await document.fonts.ready
  const inZone = Map.groupBy(people, ({ relation }) => relation)
  const shown = (zone: DomainRole) => (inZone.get(zone) ?? []).slice(0, mostInZone)
  const tallest = Math.max(1, ...domainRoles.map((zone) => shown(zone).length))
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
  const write = (text: string, x: number, y: number, font: string, ink: string, most: number) => {
    pen.font = font
    pen.fillStyle = colour(ink)
    pen.fillText(
      fitLine((part) => pen.measureText(part).width, text, most),
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
  const places = new Map<string, Place>()
  for (const [at, zone] of domainRoles.entries()) {
    const x = margin + at * (zoneWidth + gap)
    const y = margin + head.page
    const all = inZone.get(zone) ?? []
    box(x, y, zoneWidth, zoneHeight, 'muted', 12)
    write(`${roleNames[zone]}  ${all.length}`, x + 14, y + 32, `500 19px ${serif}`, 'foreground', zoneWidth - 28)
    for (const [row, person] of shown(zone).entries())
      places.set(person.id, {
        x: x + 12,
        y: y + head.zone + row * (card.height + card.gap),
        width: zoneWidth - 24,
      })
    if (all.length > mostInZone)
      write(
        `and ${all.length - mostInZone} more`,
        x + 14,
        y + zoneHeight - 12,
        `400 13px ${sans}`,
        'muted-foreground',
        zoneWidth - 28,
      )
  }
  drawCompanions(pen, colour('ribbon'), people, journeys, places)
  for (const person of people) {
    const place = places.get(person.id)
    if (!place) continue
    box(place.x, place.y, place.width, card.height, 'card', 8)
    write(nameOf(person), place.x + 12, place.y + 24, `500 16px ${serif}`, 'foreground', place.width - 24)
    const second = secondLine(person) || person.domainName
    write(second, place.x + 12, place.y + 42, `400 12px ${sans}`, 'muted-foreground', place.width - 24)
  }
  return canvasToPng(canvas)
}

function drawCompanions(
  pen: CanvasRenderingContext2D,
  ink: string,
  people: readonly DomainPerson[],
  journeys: PeopleOfDomains['journeys'],
  places: ReadonlyMap<string, Place>,
) {
  pen.strokeStyle = ink
  pen.globalAlpha = 0.7
  for (const { one, other, journeys: shared } of companionsOf(people, journeys)) {
    const [from, to] = [places.get(one), places.get(other)]
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
