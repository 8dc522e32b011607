import { type ReactNode, useMemo } from 'react'
import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { fetchFile } from '#web/api/api.ts'
import { QueryError } from '#web/queries/query-error.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { type MediaSource, MediaSourceContext, toSizeQuery } from '../media/use-media-url.ts'
import { isUnavailableError } from './shared-queries.ts'

interface SharedStateProps {
  title: string
  query: { error: Error | null; isFetching: boolean; refetch: () => unknown }
  /** Whether the page had loaded before the error. */
  wasLoaded: boolean
  back: { to: string; label: string }
  /** `keeper`, `journey`, `domain`. */
  noun: string
}

export function SharedState({ title, query, wasLoaded, back, noun }: SharedStateProps) {
  const { error } = query
  if (!error)
    return (
      <SkeletonGroup className="flex flex-col gap-5">
        <Skeleton className="h-12 max-w-96" />
        <Skeleton className="h-64" />
      </SkeletonGroup>
    )
  const backLink = <LinkButton to={back.to}>{back.label}</LinkButton>
  return (
    <>
      <PageHeader title={title} />
      {isUnavailableError(error) ? (
        <div role="status">
          <EmptyPanel
            drawing="drawer"
            title={wasLoaded ? `This ${noun} is no longer shared with you` : `This ${noun} isn’t shared with you`}
            action={backLink}
          >
            {wasLoaded
              ? `The ${noun} was unshared, or your role in the domain changed. Nothing you own is affected.`
              : `The ${noun} may have been unshared, or your role can’t read it.`}
          </EmptyPanel>
        </div>
      ) : (
        <QueryError query={{ ...query, data: undefined }} action={backLink}>
          Nothing you wrote is affected.
        </QueryError>
      )}
    </>
  )
}

interface SharedByProps {
  name: string | null
  isMe: boolean
  domainName: string
  children?: ReactNode
}

export function SharedBy({ name, isMe, domainName, children }: SharedByProps) {
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-muted-foreground">
      <span>
        {isMe
          ? `This is yours, as members of ${domainName} see it.`
          : `Kept by ${name ?? 'an unnamed user'}. Shared with you in ${domainName}.`}
      </span>
      {children}
    </p>
  )
}

/** Loads media through the domain they are shared in. */
export function DomainMediaProvider({ domainId, children }: { domainId: string; children: ReactNode }) {
  const source = useMemo<MediaSource>(
    () => ({
      name: domainId,
      async load(mediaId, size) {
        const params = { id: domainId, mediaId }
        return (await fetchFile(sharingInDomains.media, { params, query: toSizeQuery(size) })).blob
      },
    }),
    [domainId],
  )
  return <MediaSourceContext value={source}>{children}</MediaSourceContext>
}
