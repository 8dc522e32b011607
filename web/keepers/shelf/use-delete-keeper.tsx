import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { forgetKeeperReads } from '#web/offline/cached-reads.ts'
import { notifyDeleted } from '#web/offline/notify-deleted.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { keepersKey } from '../keeper-queries.ts'

export function useDeleteKeeper(onDeleted?: (keeper: Keeper) => void) {
  const queryClient = useQueryClient()
  const [keeperToDelete, setKeeperToDelete] = useState<Keeper>()
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: keepersKey }),
      queryClient.invalidateQueries({ queryKey: ['keeper'] }),
      queryClient.invalidateQueries({ queryKey: ['keeper-types'] }),
    ])

  async function remove(deletedKeeper: Keeper) {
    await call(keepers.remove, { params: { id: deletedKeeper.id } })
    await forgetKeeperReads(deletedKeeper.id)
    onDeleted?.(deletedKeeper)
    await refresh()
    notifyDeleted(deletedKeeper.title, 'keeper', deletedKeeper.id, refresh)
  }

  const dialog = keeperToDelete && (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && setKeeperToDelete(undefined)}
      title={withNames`Delete ${keeperToDelete.title}?`}
      confirmLabel="Delete Keeper"
      busyLabel="Deleting..."
      onConfirm={() => remove(keeperToDelete)}
      formatError={(reason) => getServerMessage(reason) ?? 'Failed to delete keeper'}
    >
      The keeper and everything in it move to Recently deleted. You can restore them for 30 days; after that, deleting
      it cannot be undone.
    </ConfirmDialog>
  )
  return { confirmDelete: setKeeperToDelete, dialog }
}
