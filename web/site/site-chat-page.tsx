import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { BrowserRouter } from 'react-router'
import { agents } from '#contract/agents/agents.ts'
import { LeadChat } from '#web/agents/chat/lead-chat.tsx'
import { OnCustomHostContext } from '#web/agents/chat/on-custom-host.ts'
import { ApiError, call } from '#web/api/api.ts'
import { SignedOutProvider } from '#web/page/auth-context.tsx'
import { createQueryClient } from '#web/page/query-client.ts'
import { LoadingText } from '#web/ui/panels/loading-text.tsx'
import { SiteFailure } from './site-failure.tsx'

export interface SiteChatProps {
  slug: string
  domainName: string
  /** The agent was unpublished after the site loaded. */
  onAgentUnavailable: () => void
}

export function SiteChatPage(props: SiteChatProps) {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <OnCustomHostContext value={true}>
        <SignedOutProvider>
          <BrowserRouter>
            <Chat {...props} />
          </BrowserRouter>
        </SignedOutProvider>
      </OnCustomHostContext>
    </QueryClientProvider>
  )
}

function Chat({ slug, domainName, onAgentUnavailable }: SiteChatProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['lead', slug],
    queryFn: ({ signal }) => call(agents.bySlug, { query: { slug }, signal }),
    // Refetching the agent must not restart an open conversation.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  const isNotFound = error instanceof ApiError && error.status === 404
  useEffect(() => {
    if (isNotFound) onAgentUnavailable()
  }, [isNotFound, onAgentUnavailable])
  const name = data?.name
  useEffect(() => {
    if (name) document.title = `${name} · ${domainName}`
  }, [name, domainName])

  if (data) return <LeadChat agent={data} signedIn={false} offline={false} />
  if (error && !isNotFound)
    return <SiteFailure reason={error instanceof ApiError ? error : undefined} onRetry={() => refetch()} />
  return <LoadingText />
}
