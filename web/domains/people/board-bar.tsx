import { X } from 'lucide-react'
import type { DomainPerson } from '#contract/domains/people.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import type { PeopleBoardRoute, PeopleBoardView, PeopleFilter } from './board-route.ts'
import type { PeopleBoardDomain } from './people-board-data.ts'

const filters: { value: PeopleFilter; label: string }[] = [
  { value: 'all', label: 'All People' },
  { value: 'active', label: 'Active Only' },
  { value: 'pending', label: 'Pending Invites' },
]
const modes: { value: Extract<PeopleBoardView, 'canvas' | 'wizard'>; label: string }[] = [
  { value: 'canvas', label: 'Canvas Mode' },
  { value: 'wizard', label: 'Wizard Mode' },
]

interface PeopleBoardBarProps {
  route: PeopleBoardRoute
  onRouteChange: (change: Partial<PeopleBoardRoute>) => void
  domains: readonly PeopleBoardDomain[]
  visiblePeople: readonly DomainPerson[]
  allPeople: readonly DomainPerson[]
}

export function PeopleBoardBar({ route, onRouteChange, domains, visiblePeople, allPeople }: PeopleBoardBarProps) {
  const { view, filter, domainId } = route
  const isFiltered = filter !== 'all' || domainId !== null
  const domain = domains.find(({ id }) => id === domainId)
  const label = filters.find(({ value }) => value === filter)?.label
  const domainSuffix = domain ? ` in ${domain.name}` : ''
  const filterSummary =
    filter === 'all'
      ? `Only people${domainSuffix || ' in one domain'}`
      : `${label}: ${visiblePeople.length} of ${allPeople.length}${domainSuffix}`
  return (
    <div data-chrome className="mb-4">
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          label="Show"
          options={filters}
          value={filter}
          onChange={({ currentTarget }) => onRouteChange({ filter: currentTarget.value as PeopleFilter })}
          className="w-44 phone:w-auto phone:min-w-[130px] phone:flex-1"
        />
        {domains.length > 1 && (
          <SelectField
            label="Domain"
            options={[
              { value: '', label: 'All domains' },
              ...domains.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            value={domainId ?? ''}
            onChange={({ currentTarget }) => onRouteChange({ domainId: currentTarget.value || null })}
            className="w-52 phone:w-auto phone:min-w-[130px] phone:flex-1"
          />
        )}
        <SegmentedControl
          label="Mode"
          options={modes}
          value={(view === 'wizard' ? 'wizard' : view === 'canvas' ? 'canvas' : '') as 'canvas'}
          onValueChange={(mode) => onRouteChange({ view: mode })}
          className="ms-auto phone:ms-0"
        />
      </div>
      {isFiltered && (
        <div
          role="status"
          className="mt-3 flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 rounded-md bg-ribbon-soft/60 px-3 py-1 text-ui"
        >
          <span className="min-w-0 flex-1 wrap-break-word">{filterSummary}</span>
          <Button
            size="small"
            variant="plain"
            icon={<X aria-hidden size={13} />}
            onClick={() => onRouteChange({ filter: 'all', domainId: null })}
          >
            Clear Filter
          </Button>
        </div>
      )}
    </div>
  )
}
