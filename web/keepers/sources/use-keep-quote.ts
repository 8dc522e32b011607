import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { entityNames } from '#contract/keepers/entity-names.ts'
import { type Source, sources } from '#contract/keepers/sources.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { keeperKey } from '../keeper-queries.ts'
import type { KeepTarget } from './keep-menu.tsx'

interface Quote {
  messageId: string
  quote: string
  as: KeepTarget
}

/** Creates the entry once, also when the answer to the first attempt was lost. */
export function useKeepQuote({ id, keeperId }: Source): (quote: Quote) => Promise<void> {
  const queryClient = useQueryClient()
  const pending = useRef({ key: '', id: '' })
  return async (quote) => {
    const key = JSON.stringify(quote)
    if (pending.current.key !== key) pending.current = { key, id: createClientId() }
    try {
      await call(sources.keepQuote, { params: { id }, body: { ...quote, id: pending.current.id } })
      pending.current = { key: '', id: '' }
      await queryClient.invalidateQueries({ queryKey: keeperKey(keeperId) })
      void showToast(`Kept as a ${entityNames[quote.as].toLowerCase()}.`, { dropsRibbon: true })
    } catch (reason) {
      const message = getServerMessage(reason)
      void showToast(`It wasn’t kept. ${message ?? 'The server couldn’t be reached. Try again.'}`)
    }
  }
}
