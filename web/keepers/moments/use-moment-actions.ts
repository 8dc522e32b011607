import { useNavigate } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { type Moment, moments } from '#contract/keepers/moments.ts'
import { call } from '#web/api/api.ts'
import { notifyDeleted } from '#web/offline/notify-deleted.tsx'
import { sendOrQueue } from '#web/offline/send-or-queue.ts'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { useInvalidateMoments } from './moment-queries.ts'

/** Actions on a moment other than editing. Failures show a toast. */
export function useMomentActions(keeper: Keeper, moment: Moment) {
  const invalidateMoments = useInvalidateMoments(keeper.id)
  const navigate = useNavigate()
  const params = { id: moment.id }
  const writeOptions = { what: 'Moment', keeperId: keeper.id }
  const withErrorToast = async (failureText: string, action: () => Promise<void>) => {
    try {
      await action()
    } catch (reason) {
      await showToast(`${failureText} ${reason instanceof Error ? reason.message : ''}`)
    }
  }
  return {
    pin: () =>
      withErrorToast('The ribbon couldn’t be changed.', async () => {
        const { state } = await sendOrQueue(moments.update, { params, body: { pinned: !moment.pinned } }, writeOptions)
        if (state === 'queued') await showToast('Saved in this browser until the server can be reached.')
        else await invalidateMoments()
      }),
    /** Restores the text of an earlier version. @throws ApiError */
    restoreText: async ({ title, body }: Record<string, unknown>) => {
      const restoredText = { title: (title as string | null | undefined) ?? null, body: String(body ?? '') }
      const { state } = await sendOrQueue(
        moments.update,
        { params, body: restoredText, ifMatch: moment.rev },
        writeOptions,
      )
      if (state === 'queued') await showToast('Saved in this browser until the server can be reached.')
      else await invalidateMoments()
    },
    remove: () =>
      withErrorToast('The moment couldn’t be deleted.', async () => {
        const { state } = await sendOrQueue(moments.remove, { params }, writeOptions)
        if (state === 'queued') return showToast('The moment will be deleted as soon as the server can be reached.')
        await invalidateMoments()
        notifyDeleted('Moment', 'moment', moment.id, invalidateMoments)
      }),
    reflect: () =>
      withErrorToast('The reflection couldn’t be started.', async () => {
        const { id } = await call(moments.reflect, { params })
        await navigate(`/keeper/${encodeURIComponent(keeper.id)}/reflection-journal?tab=write&reflection=${id}`)
      }),
  }
}
