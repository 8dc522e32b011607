import { CircleAlert, Server } from 'lucide-react'
import type { Provider } from '#contract/agents/model-settings.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { Time } from '#web/ui/time.tsx'

/** What is called instead of the provider's own server, and whether a key goes along. */
export function LocalServer({ host, calledWith }: { host: string; calledWith: string | undefined }) {
  return (
    <p className="mt-1 flex items-start gap-1.5 text-ui text-muted-foreground">
      <Server aria-hidden size={14} className="mt-[3px] shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        Local server at {host}, called {calledWith ? `with ${calledWith}` : 'without a key'}
      </span>
    </p>
  )
}

/** The provider's answer to this very key, until it works again or another is saved. */
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
