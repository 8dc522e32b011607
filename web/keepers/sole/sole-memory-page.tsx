import { useQuery } from '@tanstack/react-query'
import { useParams, useSearchParams } from 'react-router'
import { type Agent, agents } from '#contract/agents/agents.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { useRun } from '#web/agents/runs/run-store.ts'
import { PeoplePicker } from '#web/agents/sharing/people-picker.tsx'
import { readAllPages } from '#web/api/api-pages.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { BackLink, PageHeader } from '#web/ui/panels/page-header.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { KeeperLoader } from '../keeper-frame.tsx'
import { hasStandingStory } from '../keeper-labels.ts'
import { ReviewInbox } from './review-inbox.tsx'
import { SolePanel } from './sole-panel.tsx'
import { type SoleParts, SolePartsProvider, type SoleRun } from './use-sole.ts'

/** `?review=` shows drafts of other people's keepers to review. */
export function SoleMemoryPage() {
  const { id = '' } = useParams()
  const [query] = useSearchParams()
  const reviewKeeperId = query.get('review')
  if (reviewKeeperId !== null) return <ReviewPage chosenKeeperId={reviewKeeperId} keeperId={id} />
  return <SoleLoader id={id} title="Memory (SOLE)" />
}

export function MemoryToolsPage() {
  const [query] = useSearchParams()
  return <SoleLoader id={query.get('id') ?? ''} title="Memory Tools" />
}

function SoleLoader({ id, title }: { id: string; title: string }) {
  return (
    <KeeperLoader id={id} pageName={title}>
      {(keeper) => <SoleContent keeper={keeper} title={title} />}
    </KeeperLoader>
  )
}

const RunAnswer = lazyComponent(
  async () => (await import('#web/agents/runs/run-answer.tsx')).RunAnswer,
  <Skeleton className="h-10" />,
)
const soleParts: SoleParts = { useRun: useSoleRun, useAgents: useTextAgents, PeoplePicker }

function SoleContent({ keeper, title }: { keeper: Keeper; title: string }) {
  return (
    <>
      <PageHeader
        title={
          <span dir="auto" className="block text-h2">
            {title}
          </span>
        }
        badges={
          <>
            <Badge tone="outlined">Phase 2 Feature</Badge>
            {isDemoKeeper(keeper.id) && <Badge tone="warning">sample</Badge>}
          </>
        }
        subtitle={
          hasStandingStory(keeper)
            ? `The memory of ${keeper.title}, every sentence approved by a person.`
            : `How ${keeper.title} remembers.`
        }
      />
      <SolePartsProvider value={soleParts}>
        <SolePanel keeper={keeper} />
      </SolePartsProvider>
    </>
  )
}

function ReviewPage({ chosenKeeperId, keeperId }: { chosenKeeperId: string; keeperId: string }) {
  return (
    <>
      <PageHeader
        title="Drafts to review"
        subtitle="Drafts for other people’s keepers whose owners asked you to review them."
        actions={<BackLink to={`/keeper/${encodeURIComponent(keeperId)}/memory`}>Back to your own SOLE</BackLink>}
      />
      <SolePartsProvider value={soleParts}>
        <ReviewInbox chosenKeeperId={chosenKeeperId} />
      </SolePartsProvider>
    </>
  )
}

function useSoleRun(): SoleRun {
  const { view, start, forget } = useRun()
  return {
    status: view && (view.status === 'running' || view.status === 'success' ? view.status : 'failed'),
    runId: view?.runId,
    toolResult: view?.tools.at(-1)?.result,
    start: (request) => start({ streamRun: request }),
    forget,
    content: view && <RunAnswer view={view} />,
  }
}

/**
 * The person's own ready agents that produce text. The server also accepts shared ones, but the agent list doesn't mark
 * them.
 */
function useTextAgents(): { id: string; name: string }[] {
  const { user } = useAuth()
  const { data = [] } = useQuery({
    queryKey: ['agents', 'for-sole'],
    queryFn: ({ signal }) => readAllPages<Agent>(agents.list, {}, signal),
    staleTime: 60_000,
  })
  return data
    .filter(
      ({ owner_id, status, model_provider }: Agent) =>
        owner_id === user?.id && status === 'ready' && model_provider !== 'elevenlabs',
    )
    .map(({ id, name }) => ({ id, name }))
}
