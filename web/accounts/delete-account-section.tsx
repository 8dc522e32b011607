import { useId, useState } from 'react'
import { deletionGraceDays, ownAccount } from '#contract/accounts/own-account.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Section } from '#web/ui/panels/section.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { useDeletion, useShowDeletion } from './account-queries.ts'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'
import { toAccountFailureText } from './failure-text.ts'

export function DeleteAccountSection() {
  const { data: deletion, error, isPending, refetch, isRefetching } = useDeletion()
  const showDeletion = useShowDeletion()
  const reasonId = useId()
  const [isDialogOpen, setDialogOpen] = useState(false)
  // Opening increments the key, which clears the previous errors.
  const [dialogKey, setDialogKey] = useState(0)
  const [isCanceling, setCanceling] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function cancelDeletion() {
    setCanceling(true)
    setFailure(undefined)
    try {
      showDeletion(await call(ownAccount.withdrawDeletion))
    } catch (reason) {
      setFailure(toAccountFailureText(reason))
    } finally {
      setCanceling(false)
    }
  }

  return (
    <Section
      title="Delete my account"
      help={`Your account is deleted after ${deletionGraceDays} days. Until then, you can change your mind.`}
    >
      {failure && <Banner tone="error">{failure}</Banner>}
      {isPending && (
        <SkeletonGroup>
          <Skeleton className="h-16" />
        </SkeletonGroup>
      )}
      {error && !deletion && (
        <ErrorPanel
          reason={error}
          title="Your account couldn’t be loaded"
          onRetry={() => refetch()}
          retrying={isRefetching}
        >
          Nothing was deleted.
        </ErrorPanel>
      )}
      {deletion?.deletesAt === null && (
        <>
          <p className="text-muted-foreground">
            This deletes everything you own: keepers, agents, chats, recordings, keys and domains. Download a copy
            first.
          </p>
          <div>
            <Button
              variant="danger"
              disabled={deletion.lastSuperAdmin}
              aria-describedby={deletion.lastSuperAdmin ? reasonId : undefined}
              onClick={() => {
                setDialogKey(dialogKey + 1)
                setDialogOpen(true)
              }}
            >
              Delete my account
            </Button>
            {deletion.lastSuperAdmin && (
              <p id={reasonId} className="mt-2 text-ui text-muted-foreground">
                You’re the last super-admin, so your account can’t be deleted. Grant the role to someone else first.
              </p>
            )}
          </div>
        </>
      )}
      {deletion && deletion.deletesAt !== null && (
        <>
          <p>
            Your account will be deleted on <Time value={deletion.deletesAt} timeStyle="date-time" />, with everything
            in it. Until then you can use it as before.
          </p>
          <div>
            <Button busy={isCanceling} busyLabel="Keeping..." onClick={cancelDeletion}>
              Keep my account
            </Button>
          </div>
        </>
      )}
      {deletion && (
        <DeleteAccountDialog
          key={dialogKey}
          open={isDialogOpen}
          onOpenChange={setDialogOpen}
          deletion={deletion}
          onRequested={showDeletion}
        />
      )}
    </Section>
  )
}
