import type { Provider } from '#contract/agents/model-settings.ts'
import type { PlatformKey } from '#contract/keys/keys.ts'
import type { ModelService } from '#contract/providers/model-services.ts'
import { getProviderInfo, getProviderName } from '#contract/providers/registry.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { KeyTrialNote, LocalServer, RejectedKey, TrialNote, type TrialState } from './key-trial-note.tsx'

interface PlatformKeyCardProps {
  provider: Provider
  storedKey: PlatformKey | undefined
  localHost: string | undefined
  trial: TrialState | undefined
  service: ServiceDetailsProps | undefined
  onEdit: () => void
  onRemove: () => void
}

export function PlatformKeyCard(props: PlatformKeyCardProps) {
  const { provider, storedKey, localHost, trial, service, onEdit, onRemove } = props
  const name = getProviderName(provider)
  const isReadOnly = storedKey?.source === 'environment'
  return (
    <li className="grid">
      <Card className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="me-auto">{name}</h3>
          {!service && <Badge>{getProviderInfo(provider).key.platformCostTier} cost</Badge>}
          {!storedKey ? (
            <Badge tone="outlined">No Key</Badge>
          ) : storedKey.is_active ? (
            <Badge tone="success" dot>
              Active
            </Badge>
          ) : (
            <Badge tone="warning" dot>
              Inactive
            </Badge>
          )}
        </div>
        {service && <ServiceDetails {...service} />}
        {storedKey ? (
          <div className="text-ui">
            <p className="font-mono text-code wrap-anywhere">{storedKey.maskedKey}</p>
            {storedKey.label && <p className="mt-1 wrap-anywhere text-muted-foreground">{storedKey.label}</p>}
            {isReadOnly && <p className="mt-1 text-muted-foreground">Set in the server’s environment.</p>}
          </div>
        ) : (
          service && (
            <p className="text-ui text-muted-foreground">People without their own key use this server without one.</p>
          )
        )}
        {localHost && !service && (
          <LocalServer
            provider={provider}
            host={localHost}
            keyLabel={storedKey?.is_active ? 'the platform key' : undefined}
          />
        )}
        {storedKey?.rejected_at && <RejectedKey provider={provider} at={storedKey.rejected_at} />}
        {storedKey && trial && <KeyTrialNote provider={provider} trial={trial} />}
        <div className="mt-auto flex items-center gap-2 border-t border-hairline pt-3">
          {!storedKey && (
            <Button size="small" onClick={onEdit}>
              Add {name} Key
            </Button>
          )}
          {storedKey && !isReadOnly && (
            <>
              <Button size="small" aria-label={`Edit key for ${name}`} onClick={onEdit}>
                {service ? 'Edit key' : 'Edit'}
              </Button>
              <Button
                size="small"
                variant="danger-text"
                aria-label={`Delete key for ${name}`}
                onClick={onRemove}
                className="ms-auto"
              >
                {service ? 'Delete key' : 'Delete'}
              </Button>
            </>
          )}
          {isReadOnly && <span className="text-small leading-7 text-muted-foreground">From the environment</span>}
        </div>
      </Card>
    </li>
  )
}

interface ServiceDetailsProps {
  service: ModelService
  trial: TrialState | undefined
  onEdit: () => void
  onRemove: () => void
}

function ServiceDetails({ service, trial, onEdit, onRemove }: ServiceDetailsProps) {
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
