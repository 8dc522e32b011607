import { useNavigate } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { type Moment, moments } from '#contract/keepers/moments.ts'
import { call } from '#web/api.ts'
import { sendOrKeep } from '#web/offline/send-or-keep.ts'
import { tellBinned } from '#web/offline/tell-binned.tsx'
import { showToast } from '#web/ui/show-toast.tsx'
import { useMomentsChanged } from './moment-queries.ts'

/** Actions on a moment other than editing. Failures show a toast. */
export function useMomentDeeds(keeper: Keeper, moment: Moment) {
  const changed = useMomentsChanged(keeper.id)
  const navigate = useNavigate()
  const params = { id: moment.id }
  const kept = { what: 'Moment', keeperId: keeper.id }
  const told = async (failed: string, deed: () => Promise<void>) => {
    try {
      await deed()
    } catch (reason) {
      await showToast(`${failed} ${reason instanceof Error ? reason.message : ''}`)
    }
  }
  return {
    pin: () =>
      told('The ribbon could not be changed.', async () => {
        const { state } = await sendOrKeep(moments.update, { params, body: { pinned: !moment.pinned } }, kept)
        if (state === 'kept') await showToast('Saved in this browser until the server can be reached.')
        else await changed()
      }),
    /** Restores the text of an earlier version. @throws ApiError */
    bringBack: async ({ title, body }: Record<string, unknown>) => {
      const words = { title: (title as string | null | undefined) ?? null, body: String(body ?? '') }
      const { state } = await sendOrKeep(moments.update, { params, body: words, ifMatch: moment.rev }, kept)
      if (state === 'kept') await showToast('Saved in this browser until the server can be reached.')
      else await changed()
    },
    remove: () =>
      told('The moment could not be deleted.', async () => {
        const { state } = await sendOrKeep(moments.remove, { params }, kept)
        if (state === 'kept') return showToast('It will be deleted as soon as the server can be reached.')
        await changed()
        tellBinned('Moment', 'moment', moment.id, changed)
      }),
    reflect: () =>
      told('The reflection could not be started.', async () => {
        const { id } = await call(moments.reflect, { params })
        await navigate(`/keeper/${encodeURIComponent(keeper.id)}/reflection-journal?tab=write&reflection=${id}`)
      }),
  }
}
