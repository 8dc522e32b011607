import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleHelp, LoaderCircle, Server } from 'lucide-react'
import type { Provider } from '#contract/agents/model-settings.ts'
import type { KeyTrial, keys } from '#contract/keys/keys.ts'
import { builtInProviders, getProviderName } from '#contract/providers/registry.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Time } from '#web/ui/text/time.tsx'
import { keysKey } from './key-queries.ts'

const outcomeStyles = {
  accepted: { Icon: CircleCheck, ink: 'text-success' },
  refused: { Icon: CircleAlert, ink: 'text-destructive' },
  unknown: { Icon: CircleHelp, ink: 'text-muted-foreground' },
}

interface KeyTrialNoteProps {
  provider: Provider
  trial: KeyTrialState
  offersKip?: boolean
}

export function KeyTrialNote({ provider, trial: { result, retry }, offersKip = false }: KeyTrialNoteProps) {
  const { Icon, ink } = result ? outcomeStyles[result.outcome] : { Icon: LoaderCircle, ink: 'text-muted-foreground' }
  return (
    <div role="status" className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2 text-ui">
      <p className="flex min-w-0 items-start gap-1.5">
        <Icon aria-hidden size={14} className={classNames('mt-[3px] shrink-0', ink, !result && 'animate-spin')} />
        <span className="min-w-0 wrap-anywhere">
          {result ? result.message : `Testing this key with ${getProviderName(provider)}...`}
        </span>
      </p>
      {result?.outcome === 'unknown' && (
        <Button size="small" onClick={retry}>
          Try again
        </Button>
      )}
      {offersKip && result?.kip_answers && (
        <LinkButton size="small" to="/kip" target="_blank" rel="noopener">
          Ask Kip something
        </LinkButton>
      )}
    </div>
  )
}

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

interface LocalServerProps {
  provider: Provider
  host: string
  keyLabel: string | undefined
}

export function LocalServer({ provider, host, keyLabel }: LocalServerProps) {
  const isBuiltIn = builtInProviders.some(({ id }) => id === provider)
  return (
    <p className="mt-1 flex items-start gap-1.5 text-ui text-muted-foreground">
      <Server aria-hidden size={14} className="mt-[3px] shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        {isBuiltIn ? 'Local server' : 'Server'} at {host}, {keyLabel ? `called with ${keyLabel}` : 'no key needed'}
      </span>
    </p>
  )
}

export function RejectedKey({ provider, at }: { provider: Provider; at: string }) {
  return (
    <p className="mt-1 flex items-start gap-1.5 text-ui font-medium text-destructive">
      <CircleAlert aria-hidden size={14} className="mt-[3px] shrink-0" />
      <span>
        {getProviderName(provider)} rejected this key on <Time value={at} />
      </span>
    </p>
  )
}
