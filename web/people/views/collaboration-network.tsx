import { useMemo, useState } from 'react'
import type { DomainPerson } from '#contract/domains/people.ts'
import { counted } from '#web/ui/counted.ts'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { nameOf } from '#web/ui/name-of-person.ts'
import type { Board } from '../board.ts'
import { companionsOf, companyOf } from '../companions.ts'
import { networkLayout } from './network-layout.ts'

interface CollaborationNetworkProps {
  board: Board
  people: readonly DomainPerson[]
  onOpen: (person: DomainPerson) => void
}

const size = 520

/** Who shares which journey: drawn, and the same as a list. */
export function CollaborationNetwork({ board, people, onOpen }: CollaborationNetworkProps) {
  const [marked, setMarked] = useState<string>()
  const { companions, company, nodes } = useMemo(() => {
    const pairs = companionsOf(people, board.journeys)
    return {
      companions: pairs,
      company: companyOf(people, board.journeys),
      nodes: networkLayout(people, pairs, size),
    }
  }, [people, board.journeys])
  const placed = new Map(nodes.map((node) => [node.person.id, node]))
  if (company.length === 0)
    return (
      <EmptyPanel drawing="path" title="No journeys are shared here yet">
        A journey that somebody gives to a domain joins the people who are on it.
      </EmptyPanel>
    )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(240px,340px)] items-start gap-8 phone:grid-cols-1">
      <div className="min-w-0 rounded-lg border border-border bg-card shadow-e1">
        {nodes.length === 0 ? (
          <EmptyPanel drawing="path" title="Nobody travels together yet" className="m-4 border-none">
            Open a person and put them on a journey.
          </EmptyPanel>
        ) : (
          <svg
            aria-hidden="true"
            viewBox={`0 0 ${size} ${size}`}
            className="block h-auto w-full overflow-visible font-serif"
          >
            {companions.map(({ one, other, journeys }) => {
              const [from, to] = [placed.get(one), placed.get(other)]
              if (!from || !to) return null
              const isMarked = marked === one || marked === other || journeys.some(({ id }) => id === marked)
              return (
                <path
                  key={`${one} ${other}`}
                  d={`M${from.x} ${from.y}Q${size / 2} ${size / 2} ${to.x} ${to.y}`}
                  fill="none"
                  stroke="var(--k-ribbon)"
                  strokeWidth={Math.min(1 + journeys.length, 5)}
                  strokeLinecap="round"
                  opacity={marked === undefined ? 0.7 : isMarked ? 1 : 0.15}
                />
              )
            })}
            {nodes.map(({ person, x, y, anchor }) => (
              // biome-ignore lint/a11y/noStaticElementInteractions: the list beside it has the same, with buttons
              <g
                key={person.id}
                onPointerEnter={() => setMarked(person.id)}
                onPointerLeave={() => setMarked(undefined)}
                onClick={() => onOpen(person)}
                className="cursor-pointer"
              >
                <circle cx={x} cy={y} r={19} fill="var(--k-card)" stroke="var(--k-input)" strokeWidth={1.4} />
                <text x={x} y={y + 5.5} textAnchor="middle" fontSize={16} fill="var(--k-foreground)">
                  {[...nameOf(person)][0]?.toUpperCase()}
                </text>
                <text
                  x={anchor === 'middle' ? x : x + (anchor === 'start' ? 26 : -26)}
                  y={anchor === 'middle' ? y + (y < size / 2 ? -28 : 38) : y + 5}
                  textAnchor={anchor}
                  fontSize={14}
                  fill="var(--k-muted-foreground)"
                >
                  {nameOf(person).split(/[\s@]/)[0]?.slice(0, 12)}
                </text>
              </g>
            ))}
          </svg>
        )}
      </div>
      <ul aria-label="Journeys and who is on them" className="flex min-w-0 flex-col">
        {company.map(({ journey, people: on }) => (
          <li
            key={`${journey.domainId} ${journey.id}`}
            onPointerEnter={() => setMarked(journey.id)}
            onPointerLeave={() => setMarked(undefined)}
            className="border-b border-hairline py-3 first:pt-0"
          >
            <h2 className="text-h3 wrap-break-word">{journey.title}</h2>
            <p className="text-small text-muted-foreground">
              {on.length === 0 ? 'Nobody is on it who is shown here.' : counted(on.length, 'person', 'people')}
            </p>
            <div className="mt-1 flex flex-wrap gap-x-3">
              {on.slice(0, 40).map((person) => (
                <button
                  key={person.id}
                  type="button"
                  onClick={() => onOpen(person)}
                  className="min-h-6 max-w-full truncate rounded-xs text-ui underline decoration-border underline-offset-3 hover:decoration-foreground"
                >
                  {nameOf(person)}
                </button>
              ))}
              {on.length > 40 && <span className="text-ui text-muted-foreground">and {on.length - 40} more</span>}
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}
