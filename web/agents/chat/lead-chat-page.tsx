import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation, useParams, useSearchParams } from 'react-router'
import { agents, type PublicAgent } from '#contract/agents/agents.ts'
import { findSampleAgent } from '#contract/samples/sample-agents.ts'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { ApiError, call, NetworkError } from '#web/api/api.ts'
import { DebugButton, DebugLink } from '#web/page/debug-tab.tsx'
import { AnchorButton } from '#web/ui/controls/button.tsx'
import { Spot } from '#web/ui/drawings/spot.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { LoadingText } from '#web/ui/panels/loading-text.tsx'
import { LeadChat } from './lead-chat.tsx'

const DebugModal = lazy(() =>
  import('#web/diagnostics/debug-modal.tsx').then((module) => ({ default: module.DebugModal })),
)

interface LeadResult {
  agent: PublicAgent
  offline: boolean
}

/** A known agent isn't replaced by a sample just because the server is briefly unreachable. */
async function findLead(
  slug: string,
  signal: AbortSignal,
  previousResult: LeadResult | undefined,
): Promise<LeadResult> {
  try {
    return { agent: await call(agents.bySlug, { query: { slug }, signal }), offline: false }
  } catch (reason) {
    const canBeSample = reason instanceof NetworkError && previousResult?.offline !== false
    const sample = canBeSample ? findSampleAgent(slug) : undefined
    if (sample?.agent_class === 'Lead') return { agent: sample, offline: true }
    throw reason
  }
}

export function LeadChatPage() {
  return (
    <>
      <LeadChatLoader />
      <DebugControl />
    </>
  )
}

function DebugControl() {
  const { user, isAuthenticated, isLoading } = useAuth()
  const [open, setOpen] = useState(false)
  if (isLoading) return null
  return (
    <aside aria-label="Debug">
      {isAuthenticated ? <DebugButton onClick={() => setOpen(true)} /> : <DebugLink />}
      <Suspense fallback={null}>{open && <DebugModal open onOpenChange={setOpen} user={user} />}</Suspense>
    </aside>
  )
}

function LeadChatLoader() {
  const { agentSlug } = useParams()
  const { pathname } = useLocation()
  const { isAuthenticated, isLoading } = useAuth()
  // /kip and /ceox are separate routes without a slug parameter.
  const slug = agentSlug ?? pathname.split('/')[1] ?? ''
  const queryClient = useQueryClient()
  const isOtherUsersSession = useClearSessionParam(isLoading ? undefined : isAuthenticated)
  const { data, error, isPending, isFetching, refetch } = useQuery({
    queryKey: ['lead', slug, isAuthenticated],
    queryFn: ({ signal, queryKey }) => findLead(slug, signal, queryClient.getQueryData<LeadResult>(queryKey)),
    enabled: !isLoading,
    // Refetching the agent must not reset an open conversation.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })

  const name = data?.agent.name
  useEffect(() => {
    if (!name) return
    const previousTitle = document.title
    document.title = `${name} · Chat · Keeper`
    return () => {
      document.title = previousTitle
    }
  }, [name])

  if (isPending || isOtherUsersSession) return <LoadingText />
  if (data) {
    const { agent, offline } = data
    // Signed-in people can load any of their agents by slug, but only Leads have a chat page.
    if (agent.agent_class !== 'Lead') return <AgentNotFound reason={`Agent "${agent.slug}" is not a Lead agent`} />
    return (
      <LeadChat
        key={`${agent.id} ${isAuthenticated} ${offline}`}
        agent={agent}
        signedIn={isAuthenticated}
        offline={offline}
      />
    )
  }
  if (error instanceof ApiError && error.status === 404) return <AgentNotFound reason={error.message} />
  return (
    <main className="mx-auto w-full max-w-[640px] px-4 py-16">
      <h1 className="mb-5">{slug}</h1>
      <ErrorPanel
        title={`Failed to load agent: ${error instanceof ApiError ? error.statusText || error.message : error.message}`}
        onRetry={() => refetch()}
        retrying={isFetching}
        reason={error}
      >
        Your conversations are safe on the server.
      </ErrorPanel>
    </main>
  )
}

function AgentNotFound({ reason }: { reason: string }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-[560px] flex-col items-center justify-center gap-2 px-4 text-center">
      <Spot name="lamp" width={148} className="mb-2" />
      <h1>Agent Not Found</h1>
      <p className="text-muted-foreground">
        {/not a lead/i.test(reason) ? reason : 'There’s no agent at this address, or it isn’t public.'}
      </p>
      <AnchorButton href="/" variant="primary" className="mt-3">
        Go Home
      </AnchorButton>
    </main>
  )
}

/** True until the previous user's session is removed from the URL; `signedIn` is undefined while unknown. */
function useClearSessionParam(signedIn: boolean | undefined): boolean {
  const [params, setParams] = useSearchParams()
  const [previousSignedIn, setPreviousSignedIn] = useState<boolean>()
  const hasChanged = previousSignedIn !== undefined && signedIn !== undefined && previousSignedIn !== signedIn
  const isInAddress = params.has('sessionId')

  useEffect(() => {
    if (!hasChanged || !isInAddress) return setPreviousSignedIn(signedIn)
    setParams(
      (currentParams) => {
        const next = new URLSearchParams(currentParams)
        next.delete('sessionId')
        return next
      },
      { replace: true },
    )
  }, [signedIn, hasChanged, isInAddress, setParams])
  return hasChanged
}
