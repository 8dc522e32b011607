import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { customDomains } from '#contract/domains/custom-domains.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { ApiError, call } from '#web/api/api.ts'
import { LoadingText } from '#web/ui/panels/loading-text.tsx'
import { SiteLanding } from './site-landing.tsx'

const SiteChat = lazy(() => import('./site-chat-page.tsx').then((module) => ({ default: module.SiteChatPage })))
const SiteFailure = lazy(() => import('./site-failure.tsx').then((module) => ({ default: module.SiteFailure })))

type Site = EndpointOutput<typeof customDomains.site>

export function SitePage() {
  const [site, setSite] = useState<Site>()
  const [failure, setFailure] = useState<unknown>()
  const [isAgentUnavailable, setAgentUnavailable] = useState(false)
  const forgetAgent = useCallback(() => setAgentUnavailable(true), [])

  // Only the chat needs the query client.
  const loadSite = useCallback(async (signal?: AbortSignal) => {
    try {
      setSite(await call(customDomains.site, { signal }))
      setFailure(undefined)
    } catch (reason) {
      if (!signal?.aborted) setFailure(reason)
    }
  }, [])
  useEffect(() => {
    const controller = new AbortController()
    void loadSite(controller.signal)
    return () => controller.abort()
  }, [loadSite])

  const name = site?.domain.name
  useEffect(() => {
    if (name) document.title = name
  }, [name])

  if (site && (!site.agentSlug || isAgentUnavailable)) return <SiteLanding {...site.domain} />
  return (
    <Suspense fallback={<LoadingText />}>
      {site?.agentSlug ? (
        <SiteChat slug={site.agentSlug} domainName={site.domain.name} onAgentUnavailable={forgetAgent} />
      ) : failure ? (
        <SiteFailure reason={failure instanceof ApiError ? failure : undefined} onRetry={() => loadSite()} />
      ) : (
        <LoadingText />
      )}
    </Suspense>
  )
}
