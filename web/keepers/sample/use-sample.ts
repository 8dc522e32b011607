import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { sampleKeeper } from '#contract/keepers/sample-keeper.ts'
import { call } from '#web/api.ts'
import { showToast } from '#web/ui/show-toast.tsx'
import { dashboardAddress } from '../keeper-addresses.ts'
import { keepersKey } from '../keeper-queries.ts'
import { ownTimeZone } from '../moments/moment-writing.ts'

/** Makes the sample keeper and opens it, or takes it away for good. */
export function useSample() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')

  async function attempt(deed: () => Promise<void>): Promise<void> {
    setBusy(true)
    setError('')
    try {
      await deed()
    } catch (reason) {
      setError(reason instanceof Error ? reason.message : String(reason))
    } finally {
      setBusy(false)
    }
  }
  const open = () =>
    attempt(async () => {
      const { id } = await call(sampleKeeper.make, { body: { timezone: ownTimeZone() } })
      await queries.invalidateQueries({ queryKey: keepersKey })
      navigate(dashboardAddress(id))
    })
  /** `leave`: away from its own page first, which would be asked for again as soon as it is gone. */
  async function remove(leave?: () => void): Promise<void> {
    leave?.()
    await attempt(async () => {
      await call(sampleKeeper.remove).catch((reason: unknown) => {
        if (leave) void showToast(reason instanceof Error ? reason.message : String(reason))
        throw reason
      })
      queries.removeQueries({ queryKey: ['keeper'] })
      await queries.invalidateQueries({ queryKey: keepersKey })
      void showToast('The sample keeper is gone.')
    })
  }
  return { open, remove, busy, error }
}
