import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Provider } from '#contract/agents/model-settings.ts'
import { keys, type LocalHosts, type PlatformKey } from '#contract/keys/keys.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { ApiError, callEnvelope, getServerMessage } from '#web/api/api.ts'
import { useProviders } from '#web/queries/use-providers.ts'
import { Switch } from '#web/ui/controls/switch.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { KeyForm } from './key-form.tsx'
import { keysKey } from './key-queries.ts'

interface PlatformKeyFormProps {
  provider: Provider
  existingKey: PlatformKey | undefined
  storedKeys: readonly PlatformKey[]
  localHosts: LocalHosts
  onCancel: () => void
  /** `isDone`: the form has no unsaved values. */
  onSaved: (provider: Provider, text: string, isDone: boolean) => void
  onFailed: (text: string) => void
}

export function PlatformKeyForm({
  provider: initialProvider,
  existingKey,
  storedKeys,
  localHosts,
  onCancel,
  onSaved,
  onFailed,
}: PlatformKeyFormProps) {
  const providers = useProviders()
  const queryClient = useQueryClient()
  const [provider, setProvider] = useState(initialProvider)
  const [label, setLabel] = useState(existingKey?.label ?? '')
  const [active, setActive] = useState(existingKey?.is_active ?? true)
  const [key, setKey] = useState('')
  const currentInput = { provider, api_key: key.trim(), label: label.trim() || null, is_active: active }
  const save = useMutation({
    mutationFn: (body: typeof currentInput) => callEnvelope(keys.savePlatform, { body }),
    onSuccess: ({ message }, submitted) => {
      const serverMessage = typeof message === 'string' && message
      onSaved(
        submitted.provider,
        serverMessage || `Platform key for ${getProviderName(submitted.provider)} saved.`,
        isSameInput(submitted, currentInput),
      )
      return queryClient.invalidateQueries({ queryKey: keysKey })
    },
    onError: (reason, submitted) => {
      if (!getFieldErrors(reason) || !isSameInput(submitted, currentInput))
        onFailed(getServerMessage(reason) ?? 'Failed to save platform key')
    },
  })
  const replacedKey = storedKeys.find((candidate) => candidate.provider === provider)
  const errors = save.variables && isSameInput(save.variables, currentInput) ? getFieldErrors(save.error) : undefined
  return (
    <Card className="mb-5 animate-fade">
      <h2 className="mb-4">{existingKey ? `Update ${getProviderName(provider)} key` : 'Add Platform API Key'}</h2>
      <KeyForm
        provider={provider}
        hasCustomAddress={localHosts[provider] !== undefined}
        submitLabel={existingKey ? 'Update Key' : 'Add Key'}
        saving={save.isPending}
        error={errors?.api_key}
        value={key}
        onChange={setKey}
        onSubmit={() => save.mutate(currentInput)}
        onCancel={onCancel}
        leadingFields={
          <>
            {!existingKey && (
              <SelectField
                label="Provider"
                value={provider}
                onChange={(event) => setProvider(event.currentTarget.value as Provider)}
                options={providers.map(({ id, name }) => ({ value: id, label: name }))}
                error={errors?.provider}
                help={
                  replacedKey &&
                  `${getProviderName(provider)} already has a key, ${replacedKey.maskedKey}. This key replaces it.`
                }
              />
            )}
            <TextField
              label="Label"
              aside="Optional"
              maxLength={80}
              value={label}
              onChange={(event) => setLabel(event.currentTarget.value)}
              error={errors?.label}
            />
            <Switch
              label="Active"
              checked={active}
              onCheckedChange={setActive}
              help={active ? undefined : 'When off, the key stays saved but isn’t used.'}
            />
          </>
        }
      />
    </Card>
  )
}

function getFieldErrors(reason: unknown): Record<string, string> | undefined {
  return reason instanceof ApiError ? reason.fields : undefined
}

const isSameInput = (submitted: object, currentInput: object) =>
  JSON.stringify(submitted) === JSON.stringify(currentInput)
