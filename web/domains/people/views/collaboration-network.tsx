import { useState } from 'react'
import type { DomainPeople, DomainPerson } from '#contract/domains/people.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { PersonLink } from '../person-avatar.tsx'
import { NetworkDrawing, useNetwork } from './network-drawing.tsx'

interface CollaborationNetworkProps {
  journeys: DomainPeople['journeys']
  people: readonly DomainPerson[]
  onOpen?: (person: DomainPerson) => void
  /** In a frame of a board. */
  compact?: boolean
  isSample?: boolean
}

const networkMeasures = { size: 520, radius: 19, initialSize: 16, nameSize: 14, maxNameLetters: 12, maxLineWidth: 5 }
const compactMeasures = { size: 320, radius: 14, initialSize: 13, nameSize: 12, maxNameLetters: 10, maxLineWidth: 4 }

const maxListedPeople = 40

export function CollaborationNetwork(props: CollaborationNetworkProps) {
  const { journeys, people, onOpen, compact = false, isSample = false } = props
  const measures = compact ? compactMeasures : networkMeasures
  const [highlightedId, setHighlightedId] = useState<string>()
  const network = useNetwork(people, journeys, measures.size)
  const { groups, nodes } = network
  const JourneyHeading = compact ? 'h4' : 'h2'
  if (groups.length === 0)
    return (
      <EmptyPanel drawing="path" title="No journeys are shared here yet">
        Sharing a journey in a domain connects the people on it.
      </EmptyPanel>
    )
  return (
    <div
      className={classNames(
        'grid items-start',
        compact
          ? 'grid-cols-1 gap-5 @min-[520px]:grid-cols-[minmax(0,1fr)_minmax(180px,260px)]'
          : 'grid-cols-[minmax(0,1fr)_minmax(240px,340px)] gap-8 phone:grid-cols-1',
      )}
    >
      <div className="min-w-0 rounded-lg border border-border bg-card shadow-e1">
        {nodes.length === 0 ? (
          <EmptyPanel drawing="path" title="No shared journeys yet" className="m-4 border-none">
            Open a person and add them to a journey.
          </EmptyPanel>
        ) : (
          <NetworkDrawing
            network={network}
            measures={measures}
            highlightedId={highlightedId}
            onHighlight={setHighlightedId}
            onOpen={onOpen}
          />
        )}
      </div>
      <ul aria-label="Journeys and their people" className="flex min-w-0 flex-col">
        {groups.map(({ journey, people: group }) => (
          <li
            key={`${journey.domainId} ${journey.id}`}
            onPointerEnter={() => setHighlightedId(journey.id)}
            onPointerLeave={() => setHighlightedId(undefined)}
            className="border-b border-hairline py-3 first:pt-0"
          >
            <JourneyHeading className={compact ? 'font-serif text-lead wrap-anywhere' : 'text-h3 wrap-break-word'}>
              {journey.title}
            </JourneyHeading>
            <p className="text-small text-muted-foreground">
              {group.length === 0 ? 'None of the people shown here.' : pluralize(group.length, 'person', 'people')}
            </p>
            <div className="mt-1 flex flex-wrap gap-x-3">
              {group.slice(0, maxListedPeople).map((person) => (
                <PersonLink key={person.id} person={person} onOpen={onOpen} isPlain={isSample} kind="inline" />
              ))}
              {group.length > maxListedPeople && (
                <span className="text-ui text-muted-foreground">and {group.length - maxListedPeople} more</span>
              )}
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}
