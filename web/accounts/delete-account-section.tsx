import { useId, useState } from 'react'
import { deletionGraceDays, ownAccount } from '#contract/accounts/own-account.ts'
import { call } from '#web/api.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { Section } from '#web/ui/section.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Time } from '#web/ui/time.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'
import { failureText } from './failure-text.ts'
import { useDeletion, useShowDeletion } from './own-account-queries.ts'

export function DeleteAccountSection() {
  const { data: deletion, error, isPending, refetch, isRefetching } = useDeletion()
  const show = useShowDeletion()
  const reasonId = useId()
  const [asking, setAsking] = useState(false)
  // Opening increments the key, which clears the previous errors.
  const [asked, setAsked] = useState(0)
  const [keeping, setKeeping] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function keep() {
    setKeeping(true)
    setFailure(undefined)
    try {
      show(await call(ownAccount.withdrawDeletion))
    } catch (reason) {
      setFailure(failureText(reason))
    } finally {
      setKeeping(false)
    }
  }

  return (
    <Section
      title="Delete my account"
      help={`Your account is deleted after ${deletionGraceDays} days. Until then you can change your mind.`}
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
                setAsked(asked + 1)
                setAsking(true)
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
            Your account will be deleted on <Time value={deletion.deletesAt} as="date-time" />, with everything in it.
            Until then you can use it as before.
          </p>
          <div>
            <Button busy={keeping} busyLabel="Keeping..." onClick={keep}>
              Keep my account
            </Button>
          </div>
        </>
      )}
      {deletion && (
        <DeleteAccountDialog key={asked} open={asking} onOpenChange={setAsking} deletion={deletion} onAsked={show} />
      )}
    </Section>
  )
}
