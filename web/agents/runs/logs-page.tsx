import { ArrowLeft, RefreshCw } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { logPageSize } from '#contract/agents/agent-words.ts'
import { ApiError } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { registryAddress, studioAddress } from '../agent-addresses.ts'
import { useAgentList, useLogs } from '../agent-queries.ts'
import { LogList } from './log-list.tsx'
import { RunPanel } from './run-panel.tsx'

const split = 'grid grid-cols-[320px_minmax(0,1fr)] items-start gap-4 phone:grid-cols-1'

export function LogsPage() {
  const [params, setParams] = useSearchParams()
  const page = Math.max(Number.parseInt(params.get('page') ?? '1', 10) || 1, 1)
  const agentId = params.get('agentId') ?? undefined
  const { data, error, isPending, isFetching, refetch } = useLogs({ page, agentId, pageSize: logPageSize })
  const linked = params.get('run') ?? undefined
  // Beside the list there is always a run; on a phone only one that was asked for.
  const shown = linked ?? data?.logs[0]?.id

  function change(changes: Record<string, string | undefined>) {
    const next = new URLSearchParams(params)
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) next.delete(name)
      else next.set(name, value)
    }
    return next
  }
  const addressOf = (runId: string) => `?${change({ run: runId })}`

  return (
    <>
      <PageHeader
        title="Agent Execution Logs"
        actions={
          <>
            <AgentFilter
              value={agentId}
              onValueChange={(id) => setParams(change({ agentId: id, page: undefined, run: undefined }))}
            />
            <Button busy={isFetching} onClick={() => refetch()} icon={<RefreshCw aria-hidden size={14} />}>
              Refresh
            </Button>
            <LinkButton to={studioAddress} variant="plain">
              Manage Agents
            </LinkButton>
          </>
        }
      />
      {isPending ? (
        <LogsSkeleton />
      ) : !data ? (
        <ErrorPanel
          title={`Error loading logs: ${error.message || 'Failed to load logs'}`}
          onRetry={() => refetch()}
          retrying={isFetching}
          requestId={error instanceof ApiError ? error.requestId : undefined}
        >
          The runs themselves are kept.
        </ErrorPanel>
      ) : data.logs.length === 0 && !linked ? (
        <EmptyPanel
          drawing="path"
          title="No logs found. Execute some agents to see logs here."
          action={<LinkButton to={registryAddress}>Manage Agents</LinkButton>}
        />
      ) : (
        <div className={split}>
          <div className={linked ? 'phone:hidden' : undefined}>
            <LogList
              logs={data.logs}
              total={data.total}
              page={page}
              pages={data.totalPages}
              onPageChange={(next) => setParams(change({ page: String(next), run: undefined }))}
              chosenId={shown}
              addressOf={addressOf}
            />
          </div>
          {shown && (
            <div className={linked ? 'min-w-0' : 'min-w-0 phone:hidden'}>
              <LinkButton
                to={`?${change({ run: undefined })}`}
                variant="plain"
                size="small"
                icon={<ArrowLeft aria-hidden size={14} />}
                className="-ms-2.5 mb-2 desk:hidden"
              >
                All runs
              </LinkButton>
              <RunPanel key={shown} runId={shown} />
            </div>
          )}
        </div>
      )}
    </>
  )
}

interface AgentFilterProps {
  value: string | undefined
  onValueChange: (agentId: string | undefined) => void
}

function AgentFilter({ value, onValueChange }: AgentFilterProps) {
  const { data } = useAgentList()
  const known = data?.from === 'server' ? data.agents : []
  const options = [
    { value: '', label: 'All Agents' },
    ...known.map(({ id, name, slug }) => ({ value: id, label: `${name} (${slug})` })),
  ]
  // A link may name an agent that is not in the list, or by its slug.
  const chosen = known.find(({ id, slug }) => id === value || slug === value)?.id ?? value ?? ''
  if (!options.some((option) => option.value === chosen)) options.push({ value: chosen, label: chosen })
  return (
    <SelectField
      label="Filter by agent"
      labelHidden
      value={chosen}
      onChange={(event) => onValueChange(event.currentTarget.value || undefined)}
      options={options}
      className="w-44 phone:w-auto phone:min-w-44 phone:flex-1"
    />
  )
}

function LogsSkeleton() {
  return (
    <SkeletonGroup label="Loading logs" className={split}>
      <div className="flex flex-col gap-px overflow-hidden rounded-lg border border-border bg-card">
        {['one', 'two', 'three', 'four', 'five', 'six'].map((row) => (
          <div key={row} className="flex flex-col gap-2 border-b border-hairline p-3.5">
            <Skeleton className="h-4 w-3/5" />
            <Skeleton className="h-3.5 w-full" />
            <Skeleton className="h-3.5 w-2/5" />
          </div>
        ))}
      </div>
      <Skeleton className="h-96 rounded-lg phone:hidden" />
    </SkeletonGroup>
  )
}
