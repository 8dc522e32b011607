import { ExternalLink, Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { sampleAgents } from '#contract/samples/sample-agents.ts'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { KeeperEvents } from '#web/keepers/dashboard/keeper-events.tsx'
import { ModeSelector, ThemeLibrarySubtitle } from '#web/themes/mode-selector.tsx'
import { Button, RetryButton } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { Skeleton, SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { getChatPath, logsPath, newAgentPath, registryPath } from '../agent-addresses.ts'
import { useAgentList, useLogs } from '../agent-queries.ts'
import { AgentSeal } from '../agent-seal.tsx'
import { AgentListFailure, AgentListNotices, NoAgents, RegistryRowsSkeleton } from '../registry/agent-list-states.tsx'
import { AgentRow } from '../registry/agent-row.tsx'
import { TestRuns } from '../registry/test-runs.tsx'
import { useTestRuns } from '../registry/use-test-runs.ts'
import { getReasonText } from '../runs/reason-text.ts'
import { RecentRuns } from '../runs/recent-runs.tsx'
import { IntentConsole } from './intent-console.tsx'
import { KeeperTypeConsole } from './keeper-type-console.tsx'

const pageSize = 8

function LatestRuns() {
  const { data, error, isPending, isFetching, refetch } = useLogs({ page: 1, pageSize, whose: 'mine' })
  const logs = data?.logs ?? []

  function renderRuns() {
    if (isPending)
      return (
        <SkeletonRows
          label="Loading runs"
          count={3}
          rowClassName="h-9"
          className="flex flex-col gap-3 px-5 py-4 phone:px-4"
        />
      )
    if (logs.length > 0) return <RecentRuns logs={logs} label="Newest runs" showsAgentName />
    if (error)
      return (
        <div role="alert" className="flex flex-wrap items-center gap-3 px-5 py-4 text-ui phone:px-4">
          <p className="min-w-0 flex-1 basis-40">Error loading logs: {getReasonText(error, 'Failed to load logs')}</p>
          <RetryButton busy={isFetching} onClick={() => refetch()} />
        </div>
      )
    return (
      <p className="px-5 py-5 text-ui phone:px-4 text-muted-foreground">
        Quiet so far. What your agents do shows up here.
      </p>
    )
  }

  return (
    <section aria-label="Thoughts" className="min-w-0">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-3">
        <h2>Thoughts</h2>
        <Link to={logsPath} className={quietLinkClasses}>
          View Logs
        </Link>
      </div>
      <Card padded={false} className="overflow-hidden">
        {renderRuns()}
      </Card>
    </section>
  )
}

const TemplatesOverview = lazy(() =>
  import('#web/keepers/templates/templates-overview.tsx').then((module) => ({ default: module.TemplatesOverview })),
)

const ThemeLibrary = lazy(() =>
  import('#web/themes/theme-library.tsx').then((module) => ({ default: module.ThemeLibrary })),
)
const ThemeEditorPage = lazy(() =>
  import('#web/themes/theme-editor-page.tsx').then((module) => ({ default: module.ThemeEditorPage })),
)

const tabPaths = {
  studio: '/studio/kip',
  themes: '/studio/themes',
  'engagement-templates': '/studio/engagement-templates',
} as const
type TabId = keyof typeof tabPaths

export function StudioPage() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const tab = (Object.keys(tabPaths) as TabId[]).find((id) => tabPaths[id] === pathname.replace(/\/$/, '')) ?? 'studio'
  const themeId = tab === 'themes' ? (search.get('edit') ?? search.get('from')) : null
  if (themeId)
    return (
      <Suspense fallback={<Skeleton className="h-96" />}>
        <ThemeEditorPage key={themeId} themeId={themeId} isNew={!search.has('edit')} />
      </Suspense>
    )
  return (
    <>
      <PageHeader
        title={tab === 'themes' ? 'Theme Library' : 'Kip Studio'}
        subtitle={tab === 'themes' && <ThemeLibrarySubtitle />}
        actions={
          (tab === 'themes' && <ModeSelector />) ||
          (tab === 'studio' && (
            <>
              <LinkButton to={registryPath}>Manage Agents</LinkButton>
              <Button
                variant="primary"
                onClick={() => navigate(newAgentPath)}
                aria-keyshortcuts="N"
                icon={<Plus aria-hidden size={15} />}
              >
                Create New Agent
              </Button>
            </>
          ))
        }
      />
      <Tabs
        label="Kip Studio"
        tabs={[
          { id: 'studio', label: 'Studio' },
          { id: 'themes', label: 'Theme Library' },
          { id: 'engagement-templates', label: 'Engagement Templates' },
        ]}
        value={tab}
        onValueChange={(id) => navigate(tabPaths[id])}
      >
        {tab === 'studio' && <Studio />}
        {tab === 'themes' && (
          <Suspense fallback={<Skeleton className="h-96" />}>
            <ThemeLibrary />
          </Suspense>
        )}
        {tab === 'engagement-templates' && (
          <Suspense fallback={<Skeleton className="h-64" />}>
            <TemplatesOverview />
          </Suspense>
        )}
      </Tabs>
    </>
  )
}

function Studio() {
  const { user } = useAuth()
  const personId = user?.id ?? ''
  const { runInput, isRunning, activeRuns, outcome, dismiss } = useTestRuns()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_320px] items-start gap-x-6 gap-y-7 max-[1100px]:grid-cols-1">
      <div className="col-span-full min-w-0">
        <IntentConsole key={personId} personId={personId} />
      </div>
      <section aria-label="Agents" className="min-w-0">
        <h2 className="mb-3">Agents</h2>
        <NewestAgents isRunning={isRunning} runInput={runInput} />
      </section>
      <Leads />
      <LatestRuns />
      <div className="flex min-w-0 flex-col gap-7">
        <KeeperTypeConsole key={personId} personId={personId} />
        <KeeperEvents />
      </div>
      <TestRuns activeRuns={activeRuns} outcome={outcome} onClose={dismiss} />
    </div>
  )
}

const maxNewestAgents = 6

/** Leaves out Leads, which have a list of their own. */
function NewestAgents({ isRunning, runInput }: Pick<ReturnType<typeof useTestRuns>, 'isRunning' | 'runInput'>) {
  const list = useAgentList()
  const { data, isPending } = list
  if (isPending) return <RegistryRowsSkeleton count={maxNewestAgents} />
  if (!data || data.source === 'unreadable') return <AgentListFailure list={list} />
  const agents = data.agents.filter(({ agent_class }) => agent_class !== 'Lead').slice(0, maxNewestAgents)
  if (agents.length === 0) return <NoAgents />
  return (
    <>
      <AgentListNotices list={list} />
      <ul aria-label="Agents" className="rounded-lg border border-border bg-card shadow-e1 *:last:*:border-b-0">
        {agents.map((agent) => (
          <li key={agent.id}>
            <AgentRow agent={agent} running={isRunning(agent.id)} runInput={runInput} compact />
          </li>
        ))}
      </ul>
      {data.agents.length > agents.length && (
        <p className="mt-3 text-ui">
          <Link to={registryPath} className={`inline-flex min-h-6 items-center phone:min-h-10 ${quietLinkClasses}`}>
            All {data.agents.length.toLocaleString('en-US')}
            <span className="sr-only"> agents</span>
          </Link>
        </p>
      )}
    </>
  )
}

function Leads() {
  const { data } = useAgentList()
  const visibleLeads = data?.agents.filter((agent) => agent.agent_class === 'Lead') ?? []
  const leads = visibleLeads.length > 0 ? visibleLeads : sampleAgents.filter((agent) => agent.agent_class === 'Lead')
  return (
    <section aria-label="Lead agents">
      <h2 className="mb-3">Talk to</h2>
      <Card padded={false} className="overflow-hidden">
        <ul>
          {leads.map((agent) => (
            <li key={agent.id} className="border-b border-hairline last:border-b-0">
              <a
                href={getChatPath(agent.slug)}
                target="_blank"
                rel="noopener"
                className="flex items-center gap-3 px-5 py-2 transition-colors duration-120 hover:bg-fill-hover phone:px-4 focus-visible:-outline-offset-2"
              >
                <AgentSeal agent={agent} size={30} className="shrink-0" />
                <span className="min-w-0 flex-1">
                  <span dir="auto" className="block truncate font-serif text-[1.0625rem] leading-6 font-medium">
                    {agent.name}
                  </span>
                  <span className="block truncate text-small text-muted-foreground">
                    {agent.config.tagline || agent.purpose}
                  </span>
                </span>
                <ExternalLink aria-hidden size={14} className="shrink-0 text-muted-foreground" />
                <span className="sr-only">(opens in a new tab)</span>
              </a>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}
