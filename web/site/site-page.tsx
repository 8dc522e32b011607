import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { customDomains } from '#contract/domains/custom-domains.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { ApiError, call } from '#web/api/api.ts'
import { Landscape } from '#web/ui/drawings/landscape.tsx'
import { LoadingText } from '#web/ui/panels/loading-text.tsx'

const SiteChat = lazy(() => import('./site-chat-page.tsx').then((module) => ({ default: module.SiteChatPage })))
const SiteFailure = lazy(() => import('./site-failure.tsx').then((module) => ({ default: module.SiteFailure })))

type Site = EndpointOutput<typeof customDomains.site>

export function SitePage() {
  const [site, setSite] = useState<Site>()
  const [failure, setFailure] = useState<unknown>()
  const [isAgentUnavailable, setAgentUnavailable] = useState(false)
  const forgetAgent = useCallback(() => setAgentUnavailable(true), [])

  // Loaded without useQuery, so that the landing page doesn't load the query client.
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

interface SiteLandingProps {
  name: string
  description: string | null
}

function SiteLanding({ name, description }: SiteLandingProps) {
  return (
    <div className="flex min-h-dvh flex-col overflow-x-clip">
      <main className="mx-auto w-full max-w-[1440px] px-14 pt-[min(13dvh,120px)] pb-8 phone:px-[18px] phone:pt-16 phone:pb-5">
        <h1 className="max-w-[16em] text-[4.25rem]! leading-[4.375rem]! font-[450]! tracking-[-0.026em]! text-balance wrap-anywhere phone:text-[2.625rem]! phone:leading-[2.8125rem]!">
          {name}
        </h1>
        {description && (
          <p className="mt-[22px] max-w-[33em] text-[1.1875rem] leading-[1.8125rem] whitespace-pre-line wrap-anywhere phone:mt-4 phone:text-[1.0625rem] phone:leading-[1.625rem]">
            {description}
          </p>
        )}
      </main>
      <div data-chrome className="relative min-h-[300px] flex-1">
        <Landscape
          width={1440}
          height={560}
          disc={{ x: 0.735, y: 0.2, radius: 0.115 }}
          seed="quay-6"
          horizon={0.42}
          className="absolute inset-0 overflow-visible phone:hidden"
        />
        <Landscape
          width={390}
          height={460}
          disc={{ x: 0.7, y: 0.24, radius: 0.095 }}
          horizon={0.42}
          birds={[]}
          className="absolute inset-0 overflow-visible desk:hidden"
        />
      </div>
    </div>
  )
}
