import { useQueryClient } from '@tanstack/react-query'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import type { CallInput, CallResult } from '#web/api/api.ts'
import type { AnyEndpoint } from '#web/api/api-types.ts'
import { type SendResult, sendOrQueue } from '#web/offline/send-or-queue.ts'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { keeperKey } from './keeper-queries.ts'

export const demoMessage = 'This is sample data. Nothing here can be changed.'

export type KeeperWrite = <E extends AnyEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  noun: string,
) => Promise<SendResult<CallResult<E>> | undefined>

/** Without `changesDemo`, a write in a demo keeper only shows a toast and resolves to `undefined`. */
export function useKeeperWrite(keeperId: string, { changesDemo = false } = {}): KeeperWrite {
  const queryClient = useQueryClient()
  return async (endpoint, input, noun) => {
    if (isDemoKeeper(keeperId) && !changesDemo) {
      void showToast(demoMessage)
      return undefined
    }
    const sendResult = await sendOrQueue(endpoint, input, { what: noun, keeperId })
    if (sendResult.state === 'queued') void showToast(`${noun}: waiting to be sent. It’s safe in this browser.`)
    else await queryClient.invalidateQueries({ queryKey: keeperKey(keeperId) })
    return sendResult
  }
}
