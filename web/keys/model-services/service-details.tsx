import type { ModelService } from '#contract/providers/model-services.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { TrialNote, type TrialState } from '../key-trial-note.tsx'

export interface ServiceDetailsProps {
  service: ModelService
  trial: TrialState | undefined
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
      {trial && <TrialNote trial={trial} pendingText={`Asking ${name} for its models...`} />}
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
