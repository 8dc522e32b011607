import { useEffect, useEffectEvent } from 'react'
import { RetryButton } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { type InvitationPreview, InvitationSummary, useInvitation } from './invitation-summary.tsx'

interface InvitationNoticeProps {
  token: string
  onLoaded: (invitation: InvitationPreview) => void
  onRefused: () => void
}

export default function InvitationNotice({ token, onLoaded, onRefused }: InvitationNoticeProps) {
  const { preview, refusal, failure, retry } = useInvitation(token)
  const notifyLoaded = useEffectEvent(onLoaded)
  const notifyRefused = useEffectEvent(onRefused)
  useEffect(() => {
    if (preview) notifyLoaded(preview)
  }, [preview])
  useEffect(() => {
    if (refusal) notifyRefused()
  }, [refusal])

  if (refusal) {
    return (
      <Banner tone="warning">{refusal} You can still register without an invitation if registration is open.</Banner>
    )
  }
  if (failure) {
    return (
      <Banner tone="error" action={<RetryButton onClick={retry} />}>
        The invitation couldn’t be loaded: {failure}
      </Banner>
    )
  }
  return (
    <section aria-label="Your invitation" className="min-h-24 rounded-lg border border-border bg-card p-4 shadow-e1">
      {preview ? (
        <InvitationSummary invitation={preview} />
      ) : (
        <SkeletonGroup label="Loading your invitation" className="flex flex-col gap-2">
          <Skeleton className="h-5 w-4/5" />
          <Skeleton className="h-4 w-3/5" />
        </SkeletonGroup>
      )}
    </section>
  )
}
