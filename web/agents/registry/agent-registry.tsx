import { type ReactNode, useDeferredValue, useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { type ListLayout, listLayoutOptions, useListLayout } from '#web/offline/use-stored-setting.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { FilterChips } from '#web/ui/controls/filter-chips.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { useAgentList, useLastRuns } from '../agent-queries.ts'
import { useRetiringModels } from '../form/retiring-models.tsx'
import { AgentCard } from './agent-card.tsx'
import {
  AgentListFailure,
  AgentListNotices,
  cardGridClasses,
  NoAgents,
  RegistryRowsSkeleton,
  RegistrySkeleton,
} from './agent-list-states.tsx'
import { AgentRow } from './agent-row.tsx'
import {
  type AgentFilter,
  emptyFilter,
  filterAgents,
  listClasses,
  listStatuses,
  minSearchableCount,
} from './filter-agents.ts'
import type { RunInputState } from './use-test-runs.ts'

export interface AgentRegistryProps {
  personId?: string | undefined
  isRunning: (agentId: string) => boolean
  runInput: RunInputState
  onEdit?: (agent: Agent) => void
  onDelete?: (agent: Agent) => void
  emptyAction?: ReactNode
}

export function AgentRegistry({ isRunning, emptyAction, ...actions }: AgentRegistryProps) {
  const list = useAgentList()
  const { data, isPending } = list
  const retiringModels = useRetiringModels()
  const [filter, setFilter] = useState(emptyFilter)
  const [layout, setLayout] = useListLayout('keeper-agents-layout')
  const agents = data && data.source !== 'unreadable' ? data.agents : []
  const isSearchable = agents.length >= minSearchableCount
  const query = useDeferredValue(filter.query)
  const matchingAgents = isSearchable ? filterAgents(agents, { ...filter, query }) : agents
  const { visible, showMoreButton } = useLimitedList(matchingAgents)
  const hasRows = layout === 'list' && isSearchable
  const lastRuns = useLastRuns(hasRows && data?.source === 'server')

  if (isPending) return layout === 'list' ? <RegistryRowsSkeleton /> : <RegistrySkeleton />
  if (!data || data.source === 'unreadable') return <AgentListFailure list={list} />
  const getItemProps = (agent: Agent) => ({
    agent,
    retiringModel: retiringModels.find(({ agent_id, model }) => agent_id === agent.id && model === agent.model),
    running: isRunning(agent.id),
    ...actions,
  })
  function renderAgents() {
    if (agents.length === 0) return <NoAgents action={emptyAction} />
    if (matchingAgents.length === 0)
      return (
        <EmptyPanel
          drawing="seal"
          title="No agents match"
          action={<Button onClick={() => setFilter(emptyFilter)}>Clear filters</Button>}
        >
          Search covers names, slugs and purposes.
        </EmptyPanel>
      )
    if (hasRows)
      return (
        <ul aria-label="Agents" className="rounded-lg border border-border bg-card shadow-e1 *:last:*:border-b-0">
          {visible.map((agent) => (
            <li key={agent.id}>
              <AgentRow {...getItemProps(agent)} lastRunAt={lastRuns?.get(agent.id)} />
            </li>
          ))}
        </ul>
      )
    return (
      <ul className={cardGridClasses}>
        {visible.map((agent) => (
          <li key={agent.id} className="grid min-w-0">
            <AgentCard {...getItemProps(agent)} />
          </li>
        ))}
      </ul>
    )
  }

  return (
    <>
      <AgentListNotices list={list} />
      {isSearchable && (
        <RegistryFilters
          agents={agents}
          matchCount={matchingAgents.length}
          filter={filter}
          onChange={setFilter}
          layout={layout}
          onLayoutChange={setLayout}
        />
      )}
      {renderAgents()}
      {showMoreButton}
    </>
  )
}

interface RegistryFiltersProps {
  agents: readonly Agent[]
  matchCount: number
  filter: AgentFilter
  onChange: (filter: AgentFilter) => void
  layout: ListLayout
  onLayoutChange: (layout: ListLayout) => void
}

function RegistryFilters({ agents, matchCount, filter, onChange, layout, onLayoutChange }: RegistryFiltersProps) {
  const classes = listClasses(agents)
  const statuses = listStatuses(agents)
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2.5">
      <SearchField
        label="Search agents"
        placeholder="Name, slug or purpose"
        value={filter.query}
        onValueChange={(query) => onChange({ ...filter, query })}
        className="w-65 phone:-order-2 phone:w-auto phone:flex-1"
      />
      {classes.length > 1 && (
        <FilterChips
          label="Class"
          options={[{ value: '', label: 'All' }, ...classes.map((value) => ({ value, label: value }))]}
          value={filter.agentClass}
          onValueChange={(agentClass) => onChange({ ...filter, agentClass })}
        />
      )}
      {statuses.length > 1 && (
        <FilterChips
          label="Status"
          options={[{ value: '', label: 'Any status' }, ...statuses.map((value) => ({ value, label: value }))]}
          value={filter.status}
          onValueChange={(status) => onChange({ ...filter, status })}
        />
      )}
      <SegmentedControl
        label="Layout"
        options={listLayoutOptions}
        value={layout}
        onValueChange={onLayoutChange}
        className="desk:ms-auto phone:-order-1"
      />
      <p role="status" className="sr-only">
        {matchCount === agents.length ? '' : `${matchCount} of ${agents.length} agents match.`}
      </p>
    </div>
  )
}
