import { useQueryClient } from '@tanstack/react-query'
import type { Answer, CallInput } from '#web/api.ts'
import type { AnyEndpoint } from '#web/api-types.ts'
import { type Sent, sendOrKeep } from '#web/offline/send-or-keep.ts'
import { showToast } from '#web/ui/show-toast.tsx'
import { keeperKey } from './keeper-queries.ts'

export const demoWords = 'This is sample data. Nothing here can be changed.'

export type KeeperWrite = <E extends AnyEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  what: string,
) => Promise<Sent<Answer<E>> | undefined>

/**
 * Sends a write, or queues it in this browser with a toast, and refreshes the keeper. In a demo keeper it only shows a
 * toast and resolves to `undefined`.
 */
export function useKeeperWrite(keeperId: string, demo: boolean): KeeperWrite {
  const queries = useQueryClient()
  return async (endpoint, input, what) => {
    if (demo) {
      void showToast(demoWords)
      return undefined
    }
    const sent = await sendOrKeep(endpoint, input, { what, keeperId })
    if (sent.state === 'kept') void showToast(`${what}: waiting to be sent. It is safe in this browser.`)
    else await queries.invalidateQueries({ queryKey: keeperKey(keeperId) })
    return sent
  }
}
