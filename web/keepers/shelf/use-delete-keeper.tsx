import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { ApiError, call } from '#web/api.ts'
import { forgetReadsOf } from '#web/offline/forget-reads.ts'
import { tellBinned } from '#web/offline/tell-binned.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { keepersKey } from '../keeper-queries.ts'

/** Asks for confirmation, deletes the keeper and offers Undo. */
export function useDeleteKeeper(onDeleted?: (keeper: Keeper) => void) {
  const queries = useQueryClient()
  const [keeper, setKeeper] = useState<Keeper>()
  const [error, setError] = useState<string>()
  const lookAgain = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: keepersKey }),
      queries.invalidateQueries({ queryKey: ['keeper'] }),
      queries.invalidateQueries({ queryKey: ['keeper-types'] }),
    ])

  async function remove(doomed: Keeper) {
    setError(undefined)
    try {
      await call(keepers.remove, { params: { id: doomed.id } })
    } catch (reason) {
      setError((reason instanceof ApiError && reason.told) || 'Failed to delete keeper')
      throw reason
    }
    await forgetReadsOf(doomed.id)
    onDeleted?.(doomed)
    await lookAgain()
    tellBinned(doomed.title, 'keeper', doomed.id, lookAgain)
  }

  const dialog = keeper && (
    <ConfirmDialog
      open
      onOpenChange={(open) => {
        if (open) return
        setKeeper(undefined)
        setError(undefined)
      }}
      title={`Delete ${keeper.title}?`}
      confirmLabel="Delete Keeper"
      busyLabel="Deleting..."
      onConfirm={() => remove(keeper)}
      error={error}
    >
      The keeper and everything in it move to Recently deleted. You can restore them for 30 days; after that, they’re
      deleted for good.
    </ConfirmDialog>
  )
  return { ask: setKeeper, dialog }
}
