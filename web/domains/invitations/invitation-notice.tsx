import { useEffect, useEffectEvent } from 'react'
import { Banner } from '#web/ui/banner.tsx'
import { RetryButton } from '#web/ui/retry-button.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { InvitationLetter } from './invitation-letter.tsx'
import { type SeenInvitation, useInvitation } from './use-invitation.ts'

interface InvitationNoticeProps {
  token: string
  onSeen: (invitation: SeenInvitation) => void
  /** The link is no longer valid. */
  onRefused: () => void
}

/** Shown above the registration form. */
export default function InvitationNotice({ token, onSeen, onRefused }: InvitationNoticeProps) {
  const { seen, refused, failure, retry } = useInvitation(token)
  const tellSeen = useEffectEvent(onSeen)
  const tellRefused = useEffectEvent(onRefused)
  useEffect(() => {
    if (seen) tellSeen(seen)
  }, [seen])
  useEffect(() => {
    if (refused) tellRefused()
  }, [refused])

  if (refused) {
    return <Banner tone="warning">{refused} You can still register without it if registration is open.</Banner>
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
      {seen ? (
        <InvitationLetter invitation={seen} />
      ) : (
        <SkeletonGroup label="Loading your invitation" className="flex flex-col gap-2">
          <Skeleton className="h-5 w-4/5" />
          <Skeleton className="h-4 w-3/5" />
        </SkeletonGroup>
      )}
    </section>
  )
}
