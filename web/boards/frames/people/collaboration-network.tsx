import { useState } from 'react'
import { Link } from 'react-router'
import { NetworkDrawing } from '#web/people/views/network-drawing.tsx'
import { useNetwork } from '#web/people/views/use-network.ts'
import { nameOf } from '#web/ui/name-of-person.ts'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { FrameNote } from '../frame-boundary.tsx'
import { OfPeople, type PeopleOfFrame, personAddress } from './of-people.tsx'

const measures = { size: 320, radius: 14, letter: 13, name: 12, mostLetters: 10, widest: 4 }
const mostNames = 12

/** Shared journeys as a drawing and as an accessible list. */
export function CollaborationNetworkFrame(props: FrameBodyProps) {
  return <OfPeople {...props}>{(people) => <Network {...people} />}</OfPeople>
}

function Network({ people, journeys, isSample }: PeopleOfFrame) {
  const [marked, setMarked] = useState<string>()
  const network = useNetwork(people, journeys, measures.size)
  const { company, nodes } = network
  if (company.length === 0)
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
            measures={measures}
            marked={marked}
            onMark={setMarked}
            className="mx-auto block h-auto w-full max-w-[560px]"
          />
        )}
        <ul aria-label="Journeys and their people" className="min-w-0 px-1">
          {company.map(({ journey, people: on }) => (
            <li
              key={`${journey.domainId} ${journey.id}`}
              onPointerEnter={() => setMarked(journey.id)}
              onPointerLeave={() => setMarked(undefined)}
              className="border-t border-hairline py-1.5"
            >
              <p className="font-serif text-lead wrap-anywhere">{journey.title}</p>
              <p className="text-small text-muted-foreground">
                {on.length === 0 && 'None of the people shown here.'}
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
