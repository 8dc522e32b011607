import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ownAccount } from '#contract/accounts/own-account.ts'
import { toAccountFailureText } from '#web/accounts/check-account.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Time } from '#web/ui/text/time.tsx'

/** Shown on every page while an account deletion is scheduled; loaded only then. */
export function DeletionBanner({ deletesAt }: { deletesAt: string }) {
  const queryClient = useQueryClient()
  const [isCanceling, setCanceling] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function cancelDeletion() {
    setCanceling(true)
    setFailure(undefined)
    try {
      await call(ownAccount.withdrawDeletion)
      await queryClient.invalidateQueries({ queryKey: ['session'] })
      queryClient.invalidateQueries({ queryKey: ['own-account'] })
    } catch (reason) {
      setFailure(toAccountFailureText(reason))
    } finally {
      setCanceling(false)
    }
  }

  return (
    <Banner
      tone={failure ? 'error' : 'warning'}
      className="mx-7 mt-4 phone:mx-4"
      action={
        <Button size="small" busy={isCanceling} busyLabel="Keeping..." onClick={cancelDeletion}>
          Keep my account
        </Button>
      }
    >
      {failure ?? (
        <>
          Your account will be deleted on <Time value={deletesAt} />.
        </>
      )}
    </Banner>
  )
}
