import { useState } from 'react'
import type { DomainPerson } from '#contract/domains/people.ts'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import type { PeopleBoardData } from '../people-board-data.ts'
import { NetworkDrawing, useNetwork } from './network-drawing.tsx'

interface CollaborationNetworkProps {
  board: PeopleBoardData
  people: readonly DomainPerson[]
  onOpen: (person: DomainPerson) => void
}

const networkMeasures = { size: 520, radius: 19, letter: 16, name: 14, maxNameLetters: 12, widest: 5 }

export function CollaborationNetwork({ board, people, onOpen }: CollaborationNetworkProps) {
  const [highlightedId, setHighlightedId] = useState<string>()
  const network = useNetwork(people, board.journeys, networkMeasures.size)
  const { groups, nodes } = network
  if (groups.length === 0)
    return (
      <EmptyPanel drawing="path" title="No journeys are shared here yet">
        Sharing a journey in a domain connects the people on it.
      </EmptyPanel>
    )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(240px,340px)] items-start gap-8 phone:grid-cols-1">
      <div className="min-w-0 rounded-lg border border-border bg-card shadow-e1">
        {nodes.length === 0 ? (
          <EmptyPanel drawing="path" title="No shared journeys yet" className="m-4 border-none">
            Open a person and add them to a journey.
          </EmptyPanel>
        ) : (
          <NetworkDrawing
            network={network}
            measures={networkMeasures}
            highlightedId={highlightedId}
            onHighlight={setHighlightedId}
            onOpen={onOpen}
            className="block h-auto w-full overflow-visible font-serif"
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
            <h2 className="text-h3 wrap-break-word">{journey.title}</h2>
            <p className="text-small text-muted-foreground">
              {group.length === 0 ? 'None of the people shown here.' : pluralize(group.length, 'person', 'people')}
            </p>
            <div className="mt-1 flex flex-wrap gap-x-3">
              {group.slice(0, 40).map((person) => (
                <button
                  key={person.id}
                  type="button"
                  onClick={() => onOpen(person)}
                  className="min-h-6 max-w-full truncate rounded-xs text-ui underline decoration-border underline-offset-3 hover:decoration-foreground"
                >
                  {getPersonName(person)}
                </button>
              ))}
              {group.length > 40 && <span className="text-ui text-muted-foreground">and {group.length - 40} more</span>}
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}
