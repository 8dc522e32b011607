import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Provider } from '#contract/agents/model-settings.ts'
import type { KeyTrial, keys } from '#contract/keys/keys.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { keysKey } from './key-queries.ts'

export interface KeyTrialState {
  result: KeyTrial | undefined
  retry: () => void
}

export function useKeyTrial(endpoint: typeof keys.tryPersonal | typeof keys.tryPlatform) {
  const queryClient = useQueryClient()
  const trial = useMutation({
    mutationFn: (provider: Provider) => call(endpoint, { params: { provider } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keysKey }),
  })
  return {
    tryKey: trial.mutate,
    resetTrial: trial.reset,
    getTrial(provider: Provider): KeyTrialState | undefined {
      if (trial.isIdle || trial.variables !== provider) return
      return { result: trial.data ?? toFailedTrial(trial.error), retry: () => trial.mutate(provider) }
    },
  }
}

function toFailedTrial(reason: Error | null): KeyTrial | undefined {
  if (!reason) return
  const message = getServerMessage(reason) ?? reason.message
  return { outcome: 'unknown', message: `The key couldn’t be tested: ${message}`, kip_answers: false }
}
