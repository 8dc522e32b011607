import { useState } from 'react'
import { Link } from 'react-router'
import { NetworkDrawing, useNetwork } from '#web/domains/people/views/network-drawing.tsx'
import { getPersonName } from '#web/ui/text/person-name.ts'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { FrameNote } from '../frame-boundary.tsx'
import { type FramePeople, getPersonRoute, WithPeople } from './with-people.tsx'

const networkMeasures = { size: 320, radius: 14, letter: 13, name: 12, maxNameLetters: 10, widest: 4 }
const maxNames = 12

/** Shared journeys as a drawing and as an accessible list. */
export function CollaborationNetworkFrame(props: FrameBodyProps) {
  return <WithPeople {...props}>{(people) => <Network {...people} />}</WithPeople>
}

function Network({ people, journeys, isSample }: FramePeople) {
  const [highlightedId, setHighlightedId] = useState<string>()
  const network = useNetwork(people, journeys, networkMeasures.size)
  const { groups, nodes } = network
  if (groups.length === 0)
    return (
      <FrameNote>No journeys are shared here yet. Sharing a journey in the domain connects the people on it.</FrameNote>
    )
  return (
    <div className="@container">
      <div className="grid grid-cols-1 gap-x-5 p-2 @min-[520px]:grid-cols-[minmax(0,1fr)_minmax(180px,260px)]">
        {nodes.length === 0 ? (
          <FrameNote>No shared journeys yet.</FrameNote>
        ) : (
          <NetworkDrawing
            network={network}
            measures={networkMeasures}
            highlightedId={highlightedId}
            onHighlight={setHighlightedId}
            className="mx-auto block h-auto w-full max-w-[560px]"
          />
        )}
        <ul aria-label="Journeys and their people" className="min-w-0 px-1">
          {groups.map(({ journey, people: group }) => (
            <li
              key={`${journey.domainId} ${journey.id}`}
              onPointerEnter={() => setHighlightedId(journey.id)}
              onPointerLeave={() => setHighlightedId(undefined)}
              className="border-t border-hairline py-1.5"
            >
              <p className="font-serif text-lead wrap-anywhere">{journey.title}</p>
              <p className="text-small text-muted-foreground">
                {group.length === 0 && 'None of the people shown here.'}
                {group.slice(0, maxNames).map((person, index) => (
                  <span key={person.id}>
                    {index > 0 && ', '}
                    {isSample ? (
                      getPersonName(person)
                    ) : (
                      <Link
                        to={getPersonRoute(person.domainId, person.id)}
                        className="rounded-xs underline decoration-border underline-offset-2 hover:decoration-foreground"
                      >
                        {getPersonName(person)}
                      </Link>
                    )}
                  </span>
                ))}
                {group.length > maxNames && ` and ${group.length - maxNames} more`}
              </p>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
