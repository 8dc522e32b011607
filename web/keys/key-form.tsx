import { type FormEvent, type ReactNode, useState } from 'react'
import type { Provider } from '#contract/agents/model-settings.ts'
import { describeExpectedFormat, describeInvalidFormat, isKeyFormatValid } from '#contract/keys/key-formats.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'

interface KeyFormProps {
  provider: Provider
  hasCustomAddress: boolean
  submitLabel: string
  saving: boolean
  error?: string
  leadingFields?: ReactNode
  value: string
  onChange: (value: string) => void
  onSubmit: (key: string) => void
  onCancel: () => void
}

/** The submit button works only with a key of the right format, and not while saving. */
export function KeyForm(props: KeyFormProps) {
  const { provider, hasCustomAddress, submitLabel, saving, error, leadingFields, value, onSubmit, onCancel } = props
  const [submitted, setSubmitted] = useState({ key: '', provider })
  const trimmedKey = value.trim()
  const isValid = trimmedKey !== '' && isKeyFormatValid(provider, trimmedKey, hasCustomAddress)

  // An error for one key must not show for the next.
  const keyError = submitted.key === trimmedKey && submitted.provider === provider ? error : undefined

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isValid || saving) return
    setSubmitted({ key: trimmedKey, provider })
    onSubmit(trimmedKey)
  }

  return (
    <form onSubmit={submit} noValidate className="flex max-w-[560px] flex-col gap-4">
      {leadingFields}
      <PasswordField
        label={leadingFields ? 'API key' : `${getProviderName(provider)} API key`}
        secretLabel="API key"
        mono
        autoFocus
        autoComplete="off"
        value={value}
        onChange={(event) => props.onChange(event.currentTarget.value)}
        help={describeExpectedFormat(provider, hasCustomAddress)}
        error={trimmedKey !== '' && !isValid ? describeInvalidFormat(provider, trimmedKey, hasCustomAddress) : keyError}
        success={isValid ? '✓ Valid key format' : undefined}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" disabled={!isValid || saving}>
          {saving ? 'Saving...' : submitLabel}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  )
}
