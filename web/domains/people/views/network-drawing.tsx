import { useMemo } from 'react'
import type { DomainPeople, DomainPerson } from '#contract/domains/people.ts'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { type Companions, findCompanions, groupByJourney } from '../companions.ts'

/** In units of the view box. */
interface NetworkMeasures {
  size: number
  radius: number
  initialSize: number
  nameSize: number
  maxNameLetters: number
  /** Lines grow with the number of shared journeys. */
  maxLineWidth: number
}

interface NetworkDrawingProps {
  network: Pick<Network, 'nodes' | 'companions'>
  measures: NetworkMeasures
  highlightedId: string | undefined
  onHighlight: (id: string | undefined) => void
  onOpen?: ((person: DomainPerson) => void) | undefined
}

/** People on a circle, connected by shared journeys. Hidden from screen readers, which get a list instead. */
export function NetworkDrawing({ network, measures, highlightedId, onHighlight, onOpen }: NetworkDrawingProps) {
  const { nodes, companions } = network
  const { size, radius, initialSize, nameSize, maxNameLetters, maxLineWidth } = measures
  const otherOpacity = highlightedId === undefined ? 0.7 : 0.15
  const nodesById = new Map(nodes.map((node) => [node.person.id, node]))
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${size} ${size}`} className="block h-auto w-full overflow-visible font-serif">
      {companions.map(({ firstId, secondId, journeys }) => {
        const [from, to] = [nodesById.get(firstId), nodesById.get(secondId)]
        if (!from || !to) return null
        const isHighlighted =
          highlightedId === firstId || highlightedId === secondId || journeys.some(({ id }) => id === highlightedId)
        return (
          <path
            key={`${firstId} ${secondId}`}
            d={`M${from.x} ${from.y}Q${size / 2} ${size / 2} ${to.x} ${to.y}`}
            fill="none"
            stroke="var(--k-ribbon)"
            strokeWidth={Math.min(1 + journeys.length, maxLineWidth)}
            strokeLinecap="round"
            opacity={isHighlighted ? 1 : otherOpacity}
          />
        )
      })}
      {nodes.map(({ person, x, y, anchor }) => (
        <g
          key={person.id}
          onPointerEnter={() => onHighlight(person.id)}
          onPointerLeave={() => onHighlight(undefined)}
          {...(onOpen && { onClick: () => onOpen(person), className: 'cursor-pointer' })}
        >
          <circle cx={x} cy={y} r={radius} fill="var(--k-card)" stroke="var(--k-input)" strokeWidth={1.4} />
          <text
            x={x}
            y={y + initialSize / 3}
            textAnchor="middle"
            fontSize={initialSize}
            className="font-serif"
            fill="var(--k-foreground)"
          >
            {[...getPersonName(person)][0]?.toUpperCase()}
          </text>
          <text
            {...getNamePosition({ x, y, anchor }, measures)}
            textAnchor={anchor}
            fontSize={nameSize}
            fill="var(--k-muted-foreground)"
          >
            {getPersonName(person).split(/[\s@]/)[0]?.slice(0, maxNameLetters)}
          </text>
        </g>
      ))}
    </svg>
  )
}

/** Names run away from the circle: above or below it in the middle, else to the side. */
function getNamePosition({ x, y, anchor }: Pick<NetworkNode, 'x' | 'y' | 'anchor'>, measures: NetworkMeasures) {
  const { size, radius, nameSize } = measures
  if (anchor === 'middle') return { x, y: y + (y < size / 2 ? radius * -1.5 : radius * 2) }
  return { x: x + (anchor === 'start' ? 1 : -1) * radius * 1.35, y: y + nameSize / 3 }
}

interface NetworkNode {
  person: DomainPerson
  x: number
  y: number
  anchor: 'start' | 'middle' | 'end'
}

const maxNodes = 40

export function layOutNetwork(
  people: readonly DomainPerson[],
  companions: readonly Companions[],
  size: number,
): NetworkNode[] {
  const degree = new Map<string, number>()
  for (const { firstId, secondId } of companions)
    for (const id of [firstId, secondId]) degree.set(id, (degree.get(id) ?? 0) + 1)
  const connectedPeople = people
    .filter(({ id }) => degree.has(id))
    .sort((a, b) => (degree.get(b.id) ?? 0) - (degree.get(a.id) ?? 0))
    .slice(0, maxNodes)
  return connectedPeople.map((person, index) => {
    const angle = (index / connectedPeople.length) * 2 * Math.PI - Math.PI / 2
    const [x, y] = [Math.cos(angle), Math.sin(angle)]
    return {
      person,
      x: size / 2 + x * size * 0.33,
      y: size / 2 + y * size * 0.36,
      anchor: getAnchor(x),
    }
  })
}

/** `x` from -1 on the left to 1 on the right. */
function getAnchor(x: number): NetworkNode['anchor'] {
  if (Math.abs(x) < 0.3) return 'middle'
  return x > 0 ? 'start' : 'end'
}

type Network = ReturnType<typeof useNetwork>

export function useNetwork(people: readonly DomainPerson[], journeys: DomainPeople['journeys'], size: number) {
  return useMemo(() => {
    const companions = findCompanions(people, journeys)
    return { companions, groups: groupByJourney(people, journeys), nodes: layOutNetwork(people, companions, size) }
  }, [people, journeys, size])
}
