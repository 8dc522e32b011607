import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { agents, type PublicAgent } from '#contract/agents/agents.ts'
import { customDomains } from '#contract/domains/custom-domains.ts'
import type { Answer } from '#contract/endpoint.ts'
import { ApiError, call } from '#web/api.ts'
import { Spot } from '#web/ui/drawings/spot.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { LoadingText } from '#web/ui/loading-text.tsx'
import { SiteLanding } from './site-landing.tsx'

const SiteChat = lazy(() => import('./site-chat-page.tsx').then((module) => ({ default: module.SiteChatPage })))

interface Shown extends Answer<typeof customDomains.site> {
  agent: PublicAgent | null
}

/** An agent that was taken back between the two questions is none. */
async function lookAtSite(signal: AbortSignal): Promise<Shown> {
  const site = await call(customDomains.site, { signal })
  if (!site.agentSlug) return { ...site, agent: null }
  try {
    return { ...site, agent: await call(agents.bySlug, { query: { slug: site.agentSlug }, signal }) }
  } catch (reason) {
    if (reason instanceof ApiError && reason.status === 404) return { ...site, agent: null }
    throw reason
  }
}

/** All there is on a custom host: the chat with the domain's Lead agent, else its name and description. */
export function SitePage() {
  const { data, error, isPending, isFetching, refetch } = useQuery({
    queryKey: ['site'],
    queryFn: ({ signal }) => lookAtSite(signal),
    // An open conversation is not begun anew because the site was looked up again.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })

  const title = data && (data.agent ? `${data.agent.name} · ${data.domain.name}` : data.domain.name)
  useEffect(() => {
    if (title) document.title = title
  }, [title])

  if (isPending) return <LoadingText />
  if (data?.agent)
    return (
      <Suspense fallback={<LoadingText />}>
        <SiteChat agent={data.agent} />
      </Suspense>
    )
  if (data) return <SiteLanding {...data.domain} />
  if (error instanceof ApiError && error.status < 500) return <NothingHere />
  return (
    <main className="mx-auto w-full max-w-[640px] px-4 py-16">
      <h1 className="mb-5">This page could not be opened</h1>
      <ErrorPanel
        title="The server could not be reached."
        onRetry={() => refetch()}
        retrying={isFetching}
        requestId={error instanceof ApiError ? error.requestId : undefined}
      >
        Nothing is lost. Try again in a moment.
      </ErrorPanel>
    </main>
  )
}

function NothingHere() {
  return (
    <main className="mx-auto flex min-h-dvh max-w-[560px] flex-col items-center justify-center gap-2 px-4 text-center">
      <Spot name="lamp" width={148} className="mb-2" />
      <h1>Nothing here</h1>
      <p className="text-muted-foreground">Nothing is shown at this address now.</p>
    </main>
  )
}
