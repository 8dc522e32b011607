import { type ReactNode, useDeferredValue, useState } from 'react'
import { Link } from 'react-router'
import type { Agent } from '#contract/agents/agents.ts'
import { type ListLayout, listLayoutOptions, useListLayout } from '#web/offline/use-stored-setting.ts'
import { Button, RetryButton } from '#web/ui/controls/button.tsx'
import { FilterChips } from '#web/ui/controls/filter-chips.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { registryPath } from '../agent-addresses.ts'
import { useAgentList, useLastRuns } from '../agent-queries.ts'
import { useRetiringModels } from '../form/retiring-models.tsx'
import { getReasonText } from '../runs/reason-text.ts'
import { AgentCard } from './agent-card.tsx'
import {
  AgentListFailure,
  fetchErrorText,
  narrowGrid,
  RegistryRowsSkeleton,
  RegistrySkeleton,
  wideGrid,
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
  /** The newest few as cards in a narrow column, with a link to all. */
  newest?: number
}

export function AgentRegistry({ isRunning, emptyAction, newest, ...actions }: AgentRegistryProps) {
  const isNarrow = newest !== undefined
  const grid = isNarrow ? narrowGrid : wideGrid
  const list = useAgentList()
  const { data, error, isPending, isFetching, refetch } = list
  const retiringModels = useRetiringModels()
  const [filter, setFilter] = useState(emptyFilter)
  const [layout, setLayout] = useListLayout('keeper-agents-layout')
  const agents = data && data.from !== 'unreadable' ? data.agents : []
  const isSearchable = !isNarrow && agents.length >= minSearchableCount
  const query = useDeferredValue(filter.query)
  const matchingAgents = isSearchable ? filterAgents(agents, { ...filter, query }) : agents
  const { visible, more } = useLimitedList(matchingAgents)
  const hasRows = layout === 'list' && isSearchable
  const lastRuns = useLastRuns(hasRows && data?.from === 'server')

  if (isPending) return layout === 'list' && !isNarrow ? <RegistryRowsSkeleton /> : <RegistrySkeleton grid={grid} />
  if (!data || data.from === 'unreadable') return <AgentListFailure list={list} />
  const getItemProps = (agent: Agent) => ({
    agent,
    retiringModel: retiringModels.find(({ agent_id, model }) => agent_id === agent.id && model === agent.model),
    running: isRunning(agent.id),
    ...actions,
  })
  function renderAgents() {
    if (agents.length === 0)
      return (
        <EmptyPanel drawing="seal" title="No agents found" action={emptyAction}>
          An agent does one job you describe. Creating your first one takes about a minute.
        </EmptyPanel>
      )
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
      <ul className={grid}>
        {visible.slice(0, newest).map((agent) => (
          <li key={agent.id} className="grid min-w-0">
            <AgentCard {...getItemProps(agent)} headingLevel={isNarrow ? 3 : 2} />
          </li>
        ))}
      </ul>
    )
  }

  return (
    <>
      {data.from === 'samples' && (
        <OfflineNotice action={<RetryButton busy={isFetching} onClick={() => refetch()} />} />
      )}
      {error && data.from === 'server' && (
        <Banner tone="error" className="mb-4" action={<RetryButton busy={isFetching} onClick={() => refetch()} />}>
          Error loading agents: {getReasonText(error, fetchErrorText)}
        </Banner>
      )}
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
      {isNarrow ? agents.length > newest && <AllAgentsLink count={agents.length} /> : more}
    </>
  )
}

function AllAgentsLink({ count }: { count: number }) {
  return (
    <p className="mt-4 text-ui">
      <Link to={registryPath} className="inline-flex min-h-6 items-center rounded-xs underline phone:min-h-10">
        All {count.toLocaleString('en-US')}
        <span className="sr-only"> agents</span>
      </Link>
    </p>
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
        placeholder="Search name, slug or purpose"
        value={filter.query}
        onValueChange={(query) => onChange({ ...filter, query })}
        className="w-65 phone:w-full"
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
        className="ms-auto"
      />
      <p role="status" className="sr-only">
        {matchCount === agents.length ? '' : `${matchCount} of ${agents.length} agents match.`}
      </p>
    </div>
  )
}

function OfflineNotice({ action }: { action?: ReactNode }) {
  return (
    <Banner tone="warning" className="mb-4" action={action}>
      Offline, showing samples. The server can’t be reached; running one of these gives a mock answer.
    </Banner>
  )
}
