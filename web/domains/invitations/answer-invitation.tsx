import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { User } from '#contract/accounts/accounts.ts'
import { invitations } from '#contract/domains/invitations.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { useInvalidateDomains } from '../domain-queries.ts'
import { InvitationSummary, useInvitation } from './invitation-summary.tsx'
import { clearStoredInvitation } from './stored-invitation.ts'

interface AnswerInvitationProps {
  token: string
  user: User
  onClose: () => void
}

export default function AnswerInvitation({ token, user, onClose }: AnswerInvitationProps) {
  const { preview, refusal, failure, retry } = useInvitation(token)
  const invalidateDomains = useInvalidateDomains()
  const navigate = useNavigate()
  const accept = useMutation({
    async mutationFn() {
      const { domainId } = await call(invitations.accept, { body: { token } })
      clearStoredInvitation()
      void invalidateDomains()
      onClose()
      navigate(`/root/domain?domain=${domainId}`, { replace: true })
      if (preview) void showToast(withNames`You’re now a member of ${preview.domain.name}.`, { dropsRibbon: true })
    },
  })
  const busy = accept.isPending
  const isForAnother = preview !== undefined && preview.email.toLowerCase() !== user.email.toLowerCase()

  function close() {
    if (busy) return
    clearStoredInvitation()
    onClose()
  }

  return (
    <Dialog
      open
      onOpenChange={close}
      size="small"
      title={refusal ? 'This invitation is no longer valid' : 'You’re invited'}
      footer={
        preview && !refusal ? (
          <>
            <Button disabled={busy} onClick={close}>
              Not now
            </Button>
            <Button variant="primary" busy={busy} busyLabel="Accepting..." onClick={() => accept.mutate()}>
              Accept
            </Button>
          </>
        ) : (
          <Button onClick={close}>Close</Button>
        )
      }
    >
      <div className="flex flex-col gap-3">
        {accept.error && <Banner tone="error">{accept.error.message}</Banner>}
        {refusal && <p>{refusal}</p>}
        {failure && (
          <ErrorPanel title="The invitation couldn’t be loaded" onRetry={retry}>
            {failure}
          </ErrorPanel>
        )}
        {!preview && !refusal && !failure && (
          <SkeletonGroup label="Loading your invitation" className="flex flex-col gap-2">
            <Skeleton className="h-5 w-4/5" />
            <Skeleton className="h-4 w-3/5" />
          </SkeletonGroup>
        )}
        {preview && (
          <>
            <div>
              <InvitationSummary invitation={preview} />
            </div>
            {isForAnother ? (
              <Banner tone="warning">
                This invitation was sent to <span className="wrap-anywhere">{preview.email}</span>, but you’re signed in
                as <span className="wrap-anywhere">{user.email}</span>. Accept it only if you want to use this account.
              </Banner>
            ) : (
              <p className="text-small text-muted-foreground wrap-anywhere">
                You’re signed in as {user.name ? `${user.name}, ${user.email}` : user.email}.
              </p>
            )}
          </>
        )}
      </div>
    </Dialog>
  )
}
