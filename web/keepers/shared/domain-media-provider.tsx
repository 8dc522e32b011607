import { type ReactNode, useMemo } from 'react'
import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { fetchFile } from '#web/api/api.ts'
import { type MediaSource, MediaSourceContext, toSizeQuery } from '../media/use-media-url.ts'

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
