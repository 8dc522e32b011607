import { type ReactNode, useMemo } from 'react'
import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { fetchFile } from '#web/api.ts'
import { type MediaSource, MediaSourceContext } from '../media/use-media-url.ts'

/** Loads media through the domain they are shared in. */
export function DomainMediaProvider({ domainId, children }: { domainId: string; children: ReactNode }) {
  const source = useMemo<MediaSource>(
    () => ({
      name: domainId,
      load: async (mediaId) => (await fetchFile(sharingInDomains.media, { params: { id: domainId, mediaId } })).blob,
    }),
    [domainId],
  )
  return <MediaSourceContext value={source}>{children}</MediaSourceContext>
}
