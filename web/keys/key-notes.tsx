import { CircleAlert, Server } from 'lucide-react'
import type { Provider } from '#contract/agents/model-settings.ts'
import { builtInProviders, getProviderName } from '#contract/providers/registry.ts'
import { Time } from '#web/ui/text/time.tsx'

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
