import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { companionsOf, companyOf } from '#web/people/companions.ts'
import { networkLayout } from '#web/people/views/network-layout.ts'
import { nameOf } from '#web/ui/name-of-person.ts'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { FrameNote } from '../frame-boundary.tsx'
import { OfPeople, type PeopleOfFrame, personAddress } from './of-people.tsx'

const size = 320
const mostNames = 12

/** People as points, the journeys they share as lines between them; and the same as a list. */
export function CollaborationNetworkFrame(props: FrameBodyProps) {
  return <OfPeople {...props}>{(people) => <Network {...people} />}</OfPeople>
}

function Network({ people, journeys, isSample }: PeopleOfFrame) {
  const [marked, setMarked] = useState<string>()
  const { companions, company, nodes } = useMemo(() => {
    const pairs = companionsOf(people, journeys)
    return { companions: pairs, company: companyOf(people, journeys), nodes: networkLayout(people, pairs, size) }
  }, [people, journeys])
  const placed = new Map(nodes.map((node) => [node.person.id, node]))
  if (company.length === 0)
    return (
      <FrameNote>
        No journeys are shared here yet. A journey that somebody gives to the domain joins the people who are on it.
      </FrameNote>
    )
  return (
    <div className="@container">
      <div className="grid grid-cols-1 gap-x-5 p-2 @min-[520px]:grid-cols-[minmax(0,1fr)_minmax(180px,260px)]">
        {nodes.length === 0 ? (
          <FrameNote>Nobody travels together yet.</FrameNote>
        ) : (
          <svg aria-hidden="true" viewBox={`0 0 ${size} ${size}`} className="mx-auto block h-auto w-full max-w-[560px]">
            {companions.map(({ one, other, journeys: shared }) => {
              const [from, to] = [placed.get(one), placed.get(other)]
              if (!from || !to) return null
              const isMarked = marked === one || marked === other || shared.some(({ id }) => id === marked)
              return (
                <path
                  key={`${one} ${other}`}
                  d={`M${from.x} ${from.y}Q${size / 2} ${size / 2} ${to.x} ${to.y}`}
                  fill="none"
                  stroke="var(--k-ribbon)"
                  strokeWidth={Math.min(1 + shared.length, 4)}
                  strokeLinecap="round"
                  opacity={marked === undefined ? 0.7 : isMarked ? 1 : 0.15}
                />
              )
            })}
            {nodes.map(({ person, x, y, anchor }) => (
              <g
                key={person.id}
                onPointerEnter={() => setMarked(person.id)}
                onPointerLeave={() => setMarked(undefined)}
              >
                <circle cx={x} cy={y} r={14} fill="var(--k-card)" stroke="var(--k-input)" strokeWidth={1.3} />
                <text
                  x={x}
                  y={y + 4.5}
                  textAnchor="middle"
                  fontSize={13}
                  className="font-serif"
                  fill="var(--k-foreground)"
                >
                  {[...nameOf(person)][0]?.toUpperCase()}
                </text>
                <text
                  x={anchor === 'middle' ? x : x + (anchor === 'start' ? 19 : -19)}
                  y={anchor === 'middle' ? y + (y < size / 2 ? -21 : 29) : y + 4}
                  textAnchor={anchor}
                  fontSize={12}
                  fill="var(--k-muted-foreground)"
                >
                  {nameOf(person).split(/[\s@]/)[0]?.slice(0, 10)}
                </text>
              </g>
            ))}
          </svg>
        )}
        <ul aria-label="Journeys and who is on them" className="min-w-0 px-1">
          {company.map(({ journey, people: on }) => (
            <li
              key={`${journey.domainId} ${journey.id}`}
              onPointerEnter={() => setMarked(journey.id)}
              onPointerLeave={() => setMarked(undefined)}
              className="border-t border-hairline py-1.5"
            >
              <p className="font-serif text-lead wrap-anywhere">{journey.title}</p>
              <p className="text-small text-muted-foreground">
                {on.length === 0 && 'Nobody is on it who is shown here.'}
                {on.slice(0, mostNames).map((person, at) => (
                  <span key={person.id}>
                    {at > 0 && ', '}
                    {isSample ? (
                      nameOf(person)
                    ) : (
                      <Link
                        to={personAddress(person.domainId, person.id)}
                        className="rounded-xs underline decoration-border underline-offset-2 hover:decoration-foreground"
                      >
                        {nameOf(person)}
                      </Link>
                    )}
                  </span>
                ))}
                {on.length > mostNames && ` and ${on.length - mostNames} more`}
              </p>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
