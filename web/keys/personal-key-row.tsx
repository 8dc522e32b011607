import { ExternalLink, Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import type { Provider } from '#contract/agents/model-settings.ts'
import type { PersonalKey } from '#contract/keys/keys.ts'
import { getProviderInfo, getProviderName } from '#contract/providers/registry.ts'
import { AnchorButton, Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { KeyForm } from './key-form.tsx'
import { KeyTrialNote, LocalServer, RejectedKey, type TrialState } from './key-trial-note.tsx'

interface PersonalKeyRowProps {
  provider: Provider
  personal: PersonalKey | undefined
  hasPlatformKey: boolean
  localHost: string | undefined
  draftKey: string | undefined
  saving: boolean
  error?: string
  trial: TrialState | undefined
  onAdd: () => void
  onKeyChange: (key: string) => void
  onCancel: () => void
  onSave: (key: string) => void
  onRemove: () => void
}

export function PersonalKeyRow(props: PersonalKeyRowProps) {
  const { provider, personal, hasPlatformKey, localHost, draftKey } = props
  const name = getProviderName(provider)
  const platformKeyLabel = hasPlatformKey ? 'the platform key' : undefined
  const { address, costTier } = getProviderInfo(provider).key
  return (
    <li className="border-b border-hairline px-5 py-4 last:border-0 phone:px-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <div className="flex flex-wrap items-center gap-2">
            <h3>{name}</h3>
            <Badge title="Cost" aria-label={`Cost ${costTier}`} role="img">
              {costTier}
            </Badge>
            {personal ? (
              <Badge tone="success" dot>
                Personal key
              </Badge>
            ) : hasPlatformKey ? (
              <Badge tone="info" dot>
                Platform key
              </Badge>
            ) : (
              <Badge tone="outlined">No key</Badge>
            )}
          </div>
          {personal ? (
            <MaskedKey provider={name} masked={personal.maskedKey} />
          ) : (
            hasPlatformKey && (
              <p className="mt-1 text-ui text-muted-foreground">
                Using the platform key. Add your own to use it instead.
              </p>
            )
          )}
          {localHost && (
            <LocalServer provider={provider} host={localHost} keyLabel={personal ? 'your key' : platformKeyLabel} />
          )}
          {personal?.rejected_at && <RejectedKey provider={provider} at={personal.rejected_at} />}
          {personal && props.trial && <KeyTrialNote provider={provider} trial={props.trial} />}
        </div>
        <div className="flex flex-wrap items-center gap-1.5">
          {address && (
            <AnchorButton
              href={address}
              target="_blank"
              rel="noopener noreferrer"
              size="small"
              variant="plain"
              className="-ms-2.5 desk:ms-0"
              aria-label={`Get API Key from ${name}`}
              icon={<ExternalLink aria-hidden size={13} />}
            >
              Get API Key
            </AnchorButton>
          )}
          {draftKey === undefined && (
            <Button size="small" aria-label={`${personal ? 'Replace' : 'Add'} key for ${name}`} onClick={props.onAdd}>
              {personal ? 'Replace key' : 'Add key'}
            </Button>
          )}
          {personal && (
            <Button size="small" variant="danger-text" aria-label={`Delete key for ${name}`} onClick={props.onRemove}>
              Delete
            </Button>
          )}
        </div>
      </div>
      {draftKey !== undefined && (
        <div className="mt-4 animate-fade border-t border-hairline pt-4">
          <KeyForm
            provider={provider}
            hasCustomAddress={localHost !== undefined}
            submitLabel="Add Key"
            saving={props.saving}
            error={props.error}
            value={draftKey}
            onChange={props.onKeyChange}
            onSubmit={props.onSave}
            onCancel={props.onCancel}
          />
        </div>
      )}
    </li>
  )
}

/** Even when shown, only the first and last characters. */
function MaskedKey({ provider, masked }: { provider: string; masked: string }) {
  const [isRevealed, setRevealed] = useState(false)
  const Icon = isRevealed ? EyeOff : Eye
  return (
    <p className="mt-0.5 flex items-center gap-1">
      <span className="font-mono text-code wrap-anywhere">{isRevealed ? masked : '••••••••••••'}</span>
      <IconButton
        size="small"
        label={`${isRevealed ? 'Hide' : 'Show'} ${provider} key`}
        onClick={() => setRevealed(!isRevealed)}
      >
        <Icon aria-hidden size={15} />
      </IconButton>
    </p>
  )
}
