import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react'
import type { ModelService, ServiceTrial } from '#contract/providers/model-services.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'

export interface ServiceTrialState {
  result: ServiceTrial | undefined
  retry: () => void
}

export interface ServiceDetailsProps {
  service: ModelService
  trial: ServiceTrialState | undefined
  onEdit: () => void
  onRemove: () => void
}

export function ServiceDetails({ service, trial, onEdit, onRemove }: ServiceDetailsProps) {
  const { name, base_url: baseUrl, header_names: headerNames, agents, problem, source } = service
  return (
    <div className="flex flex-col gap-2 text-ui">
      <p className="font-mono text-code wrap-anywhere">{baseUrl}</p>
      <p className="text-muted-foreground">
        {headerNames.length > 0 && (
          <>
            Sends {headerNames.length === 1 ? 'the header ' : 'the headers '}
            <span className="font-mono text-code wrap-anywhere">{headerNames.join(', ')}</span>.{' '}
          </>
        )}
        {agents === 0 ? 'Not used by any agents yet.' : `Used by ${pluralize(agents, 'agent')}.`}
      </p>
      {problem && <p className="font-medium text-destructive">{problem}</p>}
      {trial && <ServiceTrialNote name={name} trial={trial} />}
      {source === 'environment' ? (
        <p className="text-muted-foreground">Set in the server’s environment.</p>
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button size="small" aria-label={`Edit service ${name}`} onClick={onEdit}>
            Edit service
          </Button>
          <Button size="small" variant="danger-text" aria-label={`Delete service ${name}`} onClick={onRemove}>
            Delete service
          </Button>
        </div>
      )}
    </div>
  )
}

function ServiceTrialNote({ name, trial: { result, retry } }: { name: string; trial: ServiceTrialState }) {
  const Icon = !result ? LoaderCircle : result.works ? CircleCheck : CircleAlert
  const ink = !result ? 'animate-spin text-muted-foreground' : result.works ? 'text-success' : 'text-warning'
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <p className="flex min-w-0 items-start gap-1.5">
        <Icon aria-hidden size={14} className={classNames('mt-[3px] shrink-0', ink)} />
        <span className="min-w-0 wrap-anywhere">{result ? result.message : `Asking ${name} for its models...`}</span>
      </p>
      {result && !result.works && (
        <Button size="small" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  )
}
