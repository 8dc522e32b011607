import { ArrowLeft, RefreshCw } from 'lucide-react'
import { useCallback, useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { logPageSize } from '#contract/agents/agent-constants.ts'
import { runs } from '#contract/agents/runs.ts'
import { DownloadButton } from '#web/files/download-button.tsx'
import { QueryError } from '#web/queries/query-error.tsx'
import { Button, RetryButton } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { useNotice } from '#web/ui/hooks/use-notice.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { Skeleton, SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { registryPath, studioPath } from '../agent-addresses.ts'
import { useAgentList, useLogs } from '../agent-queries.ts'
import {
  changeLogAddress,
  clearedFilters,
  getActiveFilters,
  LogFilters,
  readLogAddress,
  toLogQuery,
} from './log-filters.tsx'
import { LogList } from './log-list.tsx'
import { getReasonText } from './reason-text.ts'
import { RunCompare } from './run-compare.tsx'
import { RunPanel } from './run-panel.tsx'

type LogChanges = Parameters<typeof changeLogAddress>[1]

const splitClasses = 'grid grid-cols-[320px_minmax(0,1fr)] items-start gap-4 phone:grid-cols-1'

export function LogsPage() {
  const [params, setParams] = useSearchParams()
  const address = readLogAddress(params)
  const { page, run: linkedRunId } = address
  const query = useLogs({
    page,
    pageSize: logPageSize,
    ...toLogQuery(address),
  })
  const { data, error, isPending, isFetching, refetch } = query
  const { refetch: refetchAgents } = useAgentList()
  const { showNotice, noticeBanner } = useNotice('mb-4')
  const isFiltered = getActiveFilters(address).length > 0
  // Desktop always shows a run, phones only a requested one.
  const visibleRunId = linkedRunId ?? data?.logs[0]?.id
  const isChoosing = address.with === choosingValue
  const otherRunId = isChoosing ? undefined : address.with
  const phoneHiddenClass = linkedRunId && !isChoosing ? 'phone:hidden' : undefined

  const getLogPath = (changes: LogChanges) => changeLogAddress(params, changes)
  const changeAddress = useCallback(
    (changes: LogChanges, options?: { replace: boolean }) =>
      setParams((currentParams) => new URLSearchParams(changeLogAddress(currentParams, changes)), options),
    [setParams],
  )

  // A page past the end redirects to the last one.
  const lastPage = data?.totalPages ?? page
  useEffect(() => {
    if (page > lastPage && !isFetching) changeAddress({ page: String(lastPage) }, { replace: true })
  }, [page, lastPage, isFetching, changeAddress])

  function refresh() {
    void refetch()
    // Also refreshes the agent filter, which may have failed separately.
    void refetchAgents()
  }

  if (linkedRunId && otherRunId) {
    return (
      <>
        <PageHeader
          title="Agent Execution Logs"
          actions={
            <LinkButton to={getLogPath({ with: '' })} icon={<ArrowLeft aria-hidden size={14} />}>
              All runs
            </LinkButton>
          }
        />
        <RunCompare
          runId={linkedRunId}
          otherId={otherRunId}
          swapPath={getLogPath({ run: otherRunId, with: linkedRunId })}
          getRunPath={(runId) => getLogPath({ run: runId, with: '' })}
        />
      </>
    )
  }

  function renderLogs() {
    if (isPending || (data && page > lastPage)) return <LogsSkeleton />
    if (!data)
      return (
        <QueryError query={query} title={getLoadError}>
          The runs themselves are safe.
        </QueryError>
      )
    const noLogs = <NoLogs isFiltered={isFiltered} onClear={() => changeAddress(clearedFilters)} />
    if (data.logs.length === 0 && !linkedRunId) return noLogs
    return (
      <div className={splitClasses}>
        <div className={phoneHiddenClass}>
          {data.logs.length === 0 ? (
            noLogs
          ) : (
            <LogList
              logs={data.logs}
              total={data.total}
              page={Math.min(page, lastPage)}
              pages={data.totalPages}
              onPageChange={(next) => changeAddress({ page: String(next), run: '' })}
              chosenId={visibleRunId}
              getRunPath={(runId) =>
                isChoosing && runId !== linkedRunId ? getLogPath({ with: runId }) : getLogPath({ run: runId, with: '' })
              }
              getComparePath={(runId) => getLogPath({ run: visibleRunId ?? '', with: runId })}
            />
          )}
        </div>
        {visibleRunId && (
          <div className={phoneHiddenClass ? 'min-w-0' : 'min-w-0 phone:hidden'}>
            <LinkButton
              to={getLogPath({ run: '', with: '' })}
              variant="plain"
              size="small"
              icon={<ArrowLeft aria-hidden size={14} />}
              className="-ms-2.5 mb-2 desk:hidden"
            >
              All runs
            </LinkButton>
            <RunPanel
              key={visibleRunId}
              runId={visibleRunId}
              comparePath={getLogPath({ run: visibleRunId, with: choosingValue })}
              onRunAgain={(newRunId) => changeAddress({ run: visibleRunId, with: newRunId })}
            />
          </div>
        )}
      </div>
    )
  }

  return (
    <>
      <PageHeader
        title="Agent Execution Logs"
        actions={
          <>
            <AgentFilterField
              value={address.agentId}
              onValueChange={(agentId) => changeAddress({ agentId: agentId ?? '' })}
            />
            <Button busy={isFetching} onClick={refresh} icon={<RefreshCw aria-hidden size={14} />}>
              Refresh
            </Button>
            <DownloadButton
              endpoint={runs.exportLogs}
              input={{ query: toLogQuery(address) }}
              fallbackName="keeper-logs.csv"
              onSaved={({ headers }) =>
                showNotice(...describeExport(Number(headers.get('keeper-rows')), Number(headers.get('keeper-total'))))
              }
              onFailed={(reason) => showNotice('error', `The logs couldn’t be exported: ${getReasonText(reason)}`)}
            >
              Export CSV
            </DownloadButton>
            <LinkButton to={studioPath} variant="plain">
              Manage Agents
            </LinkButton>
          </>
        }
      />
      <div className={phoneHiddenClass}>
        <LogFilters address={address} onChange={changeAddress} />
      </div>
      {noticeBanner}
      {error && data && (
        <Banner tone="error" className="mb-4" action={<RetryButton busy={isFetching} onClick={() => refetch()} />}>
          {getLoadError(error)}
        </Banner>
      )}
      {isChoosing && (
        <Banner
          tone="info"
          className="mb-4"
          action={
            <LinkButton to={getLogPath({ with: '' })} size="small" variant="plain">
              Cancel
            </LinkButton>
          }
        >
          Choose a run to compare this one with.
        </Banner>
      )}
      {renderLogs()}
    </>
  )
}

const getLoadError = (reason: unknown) => `Error loading logs: ${getReasonText(reason, 'Failed to load logs')}`

/** URL value of `with` while choosing the second run. */
const choosingValue = 'choose'

function NoLogs({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (isFiltered) {
    return (
      <EmptyPanel
        drawing="path"
        title="No runs match these filters."
        action={<Button onClick={onClear}>Clear filters</Button>}
      >
        Search covers your own runs and agent names.
      </EmptyPanel>
    )
  }
  return (
    <EmptyPanel
      drawing="path"
      title="No logs found. Execute some agents to see logs here."
      action={<LinkButton to={registryPath}>Manage Agents</LinkButton>}
    />
  )
}

interface AgentFilterFieldProps {
  value: string | undefined
  onValueChange: (agentId: string | undefined) => void
}

function AgentFilterField({ value, onValueChange }: AgentFilterFieldProps) {
  const { data, isPending } = useAgentList()
  const serverAgents = data?.source === 'server' ? data.agents : []
  const hasFailed = !isPending && data?.source !== 'server'
  const options = [
    { value: '', label: 'All Agents' },
    ...serverAgents.map(({ id, name, slug }) => ({ value: id, label: `${name} (${slug})` })),
  ]
  // The URL may name an unlisted agent, or use its slug.
  const chosen = serverAgents.find(({ id, slug }) => id === value || slug === value)?.id ?? value ?? ''
  if (!options.some((option) => option.value === chosen)) options.push({ value: chosen, label: chosen })
  return (
    <SelectField
      label="Filter by agent"
      labelHidden
      help={hasFailed ? 'Failed to load agents. Refresh to try again.' : undefined}
      value={chosen}
      onChange={(event) => onValueChange(event.currentTarget.value || undefined)}
      options={options}
      className="w-44 phone:w-auto phone:min-w-[min(11rem,100%)] phone:flex-1"
    />
  )
}

function LogsSkeleton() {
  return (
    <div className={splitClasses}>
      <SkeletonRows label="Loading logs" count={6} rowClassName="h-20 rounded-lg" />
      <Skeleton className="h-96 animate-late rounded-lg phone:hidden" />
    </div>
  )
}

function describeExport(rows: number, total: number): ['success' | 'warning', string] {
  const [newest, all] = [rows.toLocaleString('en-US'), total.toLocaleString('en-US')]
  return rows < total
    ? ['warning', `The file contains the newest ${newest} of ${all} runs. Add filters to export the others.`]
    : ['success', `The file contains ${pluralize(rows, 'run')}.`]
}
