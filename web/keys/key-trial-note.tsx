import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleHelp, LoaderCircle, Server } from 'lucide-react'
import type { Provider } from '#contract/agents/model-settings.ts'
import type { keys } from '#contract/keys/keys.ts'
import { modelServices } from '#contract/providers/model-services.ts'
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
  unreachable: { Icon: CircleAlert, ink: 'text-warning' },
}

interface TrialResult {
  outcome: keyof typeof outcomeStyles
  message: string
  kip_answers?: boolean
}

/** The trial of a key or a service that was just saved. */
export interface TrialState {
  /** `undefined` while it runs. */
  result: TrialResult | undefined
  retry: () => void
}

interface TrialNoteProps {
  trial: TrialState
  pendingText: string
  offersKip?: boolean
  className?: string
}

export function TrialNote({ trial: { result, retry }, pendingText, offersKip = false, className }: TrialNoteProps) {
  const { Icon, ink } = result ? outcomeStyles[result.outcome] : { Icon: LoaderCircle, ink: 'text-muted-foreground' }
  return (
    <div role="status" className={classNames('flex flex-wrap items-center gap-x-3 gap-y-2 text-ui', className)}>
      <p className="flex min-w-0 items-start gap-1.5">
        <Icon aria-hidden size={14} className={classNames('mt-[3px] shrink-0', ink, !result && 'animate-spin')} />
        <span className="min-w-0 wrap-anywhere">{result?.message ?? pendingText}</span>
      </p>
      {(result?.outcome === 'unknown' || result?.outcome === 'unreachable') && (
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

export function KeyTrialNote({ provider, trial }: { provider: Provider; trial: TrialState }) {
  const pendingText = `Testing this key with ${getProviderName(provider)}...`
  return <TrialNote trial={trial} pendingText={pendingText} offersKip className="mt-2" />
}

/** Runs one trial at a time. `failure` is the result when the request itself fails. */
export function useTrial<Id extends string>(
  tryOut: (id: Id) => Promise<TrialResult>,
  failure: { outcome: TrialResult['outcome']; text: string },
) {
  const { mutate, reset, isIdle, variables, data, error } = useMutation({ mutationFn: tryOut })
  return {
    start: mutate,
    reset,
    getTrial(id: Id): TrialState | undefined {
      if (isIdle || variables !== id) return
      const message = error && `${failure.text}: ${getServerMessage(error) ?? error.message}`
      const result = data ?? (message === null ? undefined : { outcome: failure.outcome, message })
      return { result, retry: () => mutate(id) }
    },
  }
}

export function useKeyTrial(endpoint: typeof keys.tryPersonal | typeof keys.tryPlatform) {
  const queryClient = useQueryClient()
  return useTrial(
    async (provider: Provider) => {
      const result = await call(endpoint, { params: { provider } })
      await queryClient.invalidateQueries({ queryKey: keysKey })
      return result
    },
    { outcome: 'unknown', text: 'The key couldn’t be tested' },
  )
}

export const useServiceTrial = () =>
  useTrial<string>(
    async (id) => {
      const { works, message } = await call(modelServices.tryOut, { params: { id } })
      return { outcome: works ? 'accepted' : 'unreachable', message }
    },
    { outcome: 'unreachable', text: 'The service couldn’t be reached' },
  )

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
