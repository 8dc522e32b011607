import { entries } from '#contract/keepers/entries.ts'
import type { Entity } from '#contract/keepers/keeper-fields.ts'
import { call } from '#web/api/api.ts'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'

export function notifyDeleted(label: string, entity: Entity, id: string, onUndone: () => unknown): void {
  void showToast(withNames`${label} deleted`, {
    onUndo: async () => {
      try {
        await call(entries.restore, { params: { entity, id } })
        await onUndone()
      } catch {
        void showToast(withNames`${label} couldn’t be restored. Look in Recently deleted (kept for 30 days).`)
      }
    },
  })
}
