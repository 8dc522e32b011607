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
  // Each time a new question: what was wrong the last time is not wrong yet.
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
    <Section title="Delete my account" help={`It takes ${deletionGraceDays} days, so that you can think again.`}>
      {failure && <Banner tone="error">{failure}</Banner>}
      {isPending && (
        <SkeletonGroup>
          <Skeleton className="h-16" />
        </SkeletonGroup>
      )}
      {error && !deletion && (
        <ErrorPanel
          reason={error}
          title="Your account could not be looked up"
          onRetry={() => refetch()}
          retrying={isRefetching}
        >
          Nothing was deleted.
        </ErrorPanel>
      )}
      {deletion?.deletesAt === null && (
        <>
          <p className="text-muted-foreground">
            Everything that is yours goes: keepers, agents, chats, recordings, keys and the domains you own. Take it
            with you first.
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
                You are the last super-admin, so your account stays. Grant the role to somebody else first.
              </p>
            )}
          </div>
        </>
      )}
      {deletion && deletion.deletesAt !== null && (
        <>
          <p>
            Your account will be deleted on <Time value={deletion.deletesAt} as="date-time" />, with everything in it.
            Until then it works as before.
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
