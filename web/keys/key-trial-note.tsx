import { CircleAlert, CircleCheck, CircleHelp, LoaderCircle } from 'lucide-react'
import type { Provider } from '#contract/agents/model-settings.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import type { KeyTrialState } from './use-key-trial.ts'

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
