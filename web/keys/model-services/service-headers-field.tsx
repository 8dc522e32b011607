import { Plus, Trash2 } from 'lucide-react'
import { maxServiceHeaders } from '#contract/providers/model-services.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { createHeader, type HeaderValues } from './service-values.ts'

interface ServiceHeadersFieldProps {
  headers: HeaderValues[]
  onChange: (headers: HeaderValues[]) => void
  /** Keyed by field path: `headers`, `headers.0.name`. */
  errors: Record<string, string>
}

export function ServiceHeadersField({ headers, onChange, errors }: ServiceHeadersFieldProps) {
  const updateHeader = (key: number, changes: Partial<HeaderValues>) =>
    onChange(headers.map((header) => (header.key === key ? { ...header, ...changes } : header)))
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1.5 text-ui leading-[18px] font-label">Headers</legend>
      {headers.map(({ key, name, value, isSaved }, index) => (
        <div key={key} className="flex items-start gap-2">
          <div className="grid min-w-0 flex-1 grid-cols-2 gap-2 phone:grid-cols-1">
            <TextField
              label={`Header ${index + 1} name`}
              labelHidden
              mono
              placeholder="Name"
              maxLength={100}
              readOnly={isSaved}
              autoCapitalize="none"
              spellCheck={false}
              value={name}
              onChange={(event) => updateHeader(key, { name: event.currentTarget.value })}
              error={errors[`headers.${index}.name`]}
            />
            <PasswordField
              label={`Header ${index + 1} value`}
              labelHidden
              mono
              secretLabel="value"
              autoComplete="off"
              placeholder={isSaved ? 'Saved' : 'Value'}
              maxLength={4000}
              value={value}
              onChange={(event) => updateHeader(key, { value: event.currentTarget.value })}
              error={errors[`headers.${index}.value`]}
            />
          </div>
          <IconButton
            label={`Remove header ${name || index + 1}`}
            className="mt-0.5"
            onClick={() => onChange(headers.filter((header) => header.key !== key))}
          >
            <Trash2 aria-hidden size={15} />
          </IconButton>
        </div>
      ))}
      {errors.headers ? (
        <p role="alert" className="text-small font-medium text-destructive">
          {errors.headers}
        </p>
      ) : (
        <p className="text-small text-muted-foreground">
          Optional. Sent with every request. Values are stored encrypted and never shown again.
        </p>
      )}
      <Button
        size="small"
        className="self-start"
        icon={<Plus aria-hidden size={14} />}
        disabled={headers.length >= maxServiceHeaders}
        onClick={() => onChange([...headers, createHeader()])}
      >
        Add a header
      </Button>
    </fieldset>
  )
}
