import { useQueryClient } from '@tanstack/react-query'
import { BookOpen } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { isSampleKeeper, sampleEntryCount, sampleKeeper } from '#contract/keepers/sample-keeper.ts'
import { call } from '#web/api/api.ts'
import { forgetKeeperReads } from '#web/offline/cached-reads.ts'
import { Button, type ButtonSize, type ButtonVariant } from '#web/ui/controls/button.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { getErrorMessage } from '#web/ui/text/error-message.ts'
import { getLocalTimeZone } from '#web/ui/text/format-time.ts'
import { getDashboardPath } from '../keeper-addresses.ts'
import { keeperListQuery, keepersKey } from '../keeper-queries.ts'

export function SampleButton({ variant = 'outline', size = 'medium' }: { variant?: ButtonVariant; size?: ButtonSize }) {
  const { open, busy, error } = useSample()
  return (
    <>
      <Button
        variant={variant}
        size={size}
        busy={busy}
        busyLabel="Creating..."
        icon={<BookOpen aria-hidden size={14} />}
        onClick={open}
      >
        Look at a sample keeper
      </Button>
      <span role="alert" className="text-ui font-medium text-destructive empty:hidden">
        {error}
      </span>
    </>
  )
}

export function useSample() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')

  async function runAction<T>(action: () => Promise<T>): Promise<T | undefined> {
    setBusy(true)
    setError('')
    try {
      return await action()
    } catch (reason) {
      setError(getErrorMessage(reason))
      return undefined
    } finally {
      setBusy(false)
    }
  }
  const openSample = () =>
    runAction(async () => {
      const { id } = await call(sampleKeeper.make, { body: { timezone: getLocalTimeZone() } })
      await queryClient.invalidateQueries({ queryKey: keepersKey })
      navigate(getDashboardPath(id))
    })
  /** Counts entries added to the sample, freshly from the server; `undefined` when the request fails. */
  const countUserEntries = ({ id }: Pick<Keeper, 'id'>) =>
    runAction(async () => (await call(keepers.show, { params: { id } })).entryCount - sampleEntryCount)
  /** `leave` navigates away first, because the open page would refetch the deleted keeper. */
  async function remove({ id }: Pick<Keeper, 'id'>, leave?: () => void): Promise<void> {
    if (leave) {
      const title = document.querySelector('main h1')
      leave()
      await waitForRemoval(title)
    }
    await runAction(async () => {
      await call(sampleKeeper.remove).catch((reason: unknown) => {
        if (leave) void showToast(getErrorMessage(reason))
        throw reason
      })
      await queryClient.cancelQueries({ queryKey: keepersKey })
      queryClient.setQueryData(keeperListQuery.queryKey, (cachedKeepers) =>
        cachedKeepers?.filter((keeper) => !isSampleKeeper(keeper)),
      )
      queryClient.removeQueries({ queryKey: ['keeper'] })
      await forgetKeeperReads(id)
      await queryClient.invalidateQueries({ queryKey: keepersKey })
      void showToast('Sample keeper removed.')
    })
  }
  return { open: openSample, countUserEntries, remove, busy, error }
}

const removalPollMs = 50
const maxRemovalPolls = 100

/** The old page keeps fetching until the lazily loaded next page replaces it. */
async function waitForRemoval(element: Element | null): Promise<void> {
  for (let polls = 0; element?.isConnected && polls < maxRemovalPolls; polls++)
    await new Promise((resolve) => setTimeout(resolve, removalPollMs))
}
