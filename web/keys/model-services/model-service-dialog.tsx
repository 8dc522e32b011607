import { useMutation } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import {
  type ModelService,
  maxServiceHeaders,
  modelServices,
  type SavedModelService,
} from '#contract/providers/model-services.ts'
import { ApiError, call, getServerMessage } from '#web/api/api.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { focusFirstInvalid } from '#web/ui/fields/focus-first-invalid.ts'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { useInvalidateServices } from './service-queries.ts'
import {
  applyPreset,
  correctBaseUrl,
  createHeader,
  type HeaderValues,
  servicePresets,
  suggestId,
  toServiceValues,
} from './service-values.ts'

interface ModelServiceDialogProps {
  service: ModelService | undefined
  maskedKey: string | undefined
  onSaved: (service: SavedModelService) => void
  onClose: () => void
}

export function ModelServiceDialog({ service, maskedKey, onSaved, onClose }: ModelServiceDialogProps) {
  const form = useRef<HTMLDivElement>(null)
  const [values, setValues] = useState(() => toServiceValues(service))
  const [preset, setPreset] = useState('')
  const [isIdTyped, setIdTyped] = useState(false)
  const [note, setNote] = useState<string>()
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [baseRev, setBaseRev] = useState(service?.rev)
  // The same values sent twice create one service.
  const [idempotencyKey, setIdempotencyKey] = useState(createClientId)
  const [failures, setFailures] = useState(0)
  const refresh = useInvalidateServices()
  // After the errors are rendered.
  useEffect(() => {
    if (failures > 0) focusFirstInvalid(form.current)
  }, [failures])
  const save = useMutation({
    mutationFn: () => {
      const { id, name, baseUrl, key } = values
      const headers = values.headers
        .filter((header) => header.name.trim() !== '' || header.value !== '')
        .map((header) => ({ name: header.name, ...(header.value !== '' && { value: header.value }) }))
      const commonFields = { name, headers, ...(key.trim() !== '' && { key }) }
      if (!service)
        return call(modelServices.create, { body: { ...commonFields, id, base_url: baseUrl }, idempotencyKey })
      const body = { ...commonFields, ...(baseUrl !== service.base_url && { base_url: baseUrl }) }
      return call(modelServices.update, { params: { id: service.id }, body, ifMatch: baseRev })
    },
    onSuccess: async (saved) => {
      await refresh()
      onSaved(saved)
    },
    onError: (reason) => {
      setErrors((reason instanceof ApiError && reason.fields) || {})
      const current = findCurrent(reason)
      if (current) setBaseRev(current.rev)
      setFailures((count) => count + 1)
    },
  })

  function change(changes: Partial<typeof values>) {
    setValues((previous) => ({ ...previous, ...changes }))
    setIdempotencyKey(createClientId())
    const changedFields = Object.keys(changes).map((name) => (name === 'baseUrl' ? 'base_url' : name))
    setErrors((previous) =>
      Object.fromEntries(
        Object.entries(previous).filter(([field]) => !changedFields.includes(field.split('.')[0] ?? '')),
      ),
    )
  }

  function checkAddress(text: string) {
    if (text === service?.base_url) return
    const checked = correctBaseUrl(text)
    if (checked.note) {
      change({ baseUrl: checked.baseUrl })
      setNote(checked.note)
    }
    if (checked.error) setErrors((previous) => ({ ...previous, base_url: checked.error ?? '' }))
  }

  function choosePreset(id: string) {
    const next = applyPreset(values, id, preset)
    setPreset(id)
    setNote(undefined)
    change(next)
    // A preset's placeholder isn't an error before anyone could replace it.
    if (!correctBaseUrl(next.baseUrl).error) checkAddress(next.baseUrl)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (save.isPending) return
    const { error } = service?.base_url === values.baseUrl ? {} : correctBaseUrl(values.baseUrl)
    if (!error) return save.mutate()
    setErrors((previous) => ({ ...previous, base_url: error }))
    setFailures((count) => count + 1)
  }

  const isOtherHost = service !== undefined && getOrigin(values.baseUrl) !== getOrigin(service.base_url)
  return (
    <FormDialog
      onClose={onClose}
      title={service ? `Edit ${service.name}` : 'Add a service'}
      description="A service with an OpenAI-compatible API. Everyone here can use it in agents, with the key below or their own."
      form={{ onSubmit: submit, className: 'flex flex-col gap-4' }}
      submitLabel={service ? 'Save service' : 'Add service'}
      busyLabel="Saving..."
      busy={save.isPending}
      locksWhileBusy
    >
      <div ref={form} className="flex flex-col gap-4">
        {!service && (
          <SelectField
            label="Start from"
            value={preset}
            onChange={(event) => choosePreset(event.currentTarget.value)}
            options={[
              { value: '', label: 'Another service' },
              ...servicePresets.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            help="Fills in the base URL. You can change everything."
          />
        )}
        <TextField
          label="Name"
          required
          maxLength={80}
          value={values.name}
          onChange={(event) => {
            const name = event.currentTarget.value
            change({ name, ...(!service && !isIdTyped && preset === '' && { id: suggestId(name) }) })
          }}
          error={errors.name}
        />
        {!service && (
          <TextField
            label="ID"
            required
            mono
            maxLength={40}
            autoCapitalize="none"
            spellCheck={false}
            value={values.id}
            onChange={(event) => {
              setIdTyped(true)
              change({ id: event.currentTarget.value })
            }}
            help="Agents refer to the service by this ID. The ID can’t be changed later."
            error={errors.id}
          />
        )}
        <TextField
          label="Base URL"
          required
          mono
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={2000}
          placeholder="https://api.example.com/v1"
          value={values.baseUrl}
          onChange={(event) => {
            setNote(undefined)
            change({ baseUrl: event.currentTarget.value })
          }}
          onBlur={(event) => checkAddress(event.currentTarget.value)}
          help={
            note ??
            (isOtherHost
              ? 'The host is different, so enter the key and header values again. Keys that people saved for the old host will be deleted.'
              : 'The address of the API, including the version path. Addresses on this machine work too.')
          }
          error={errors.base_url}
        />
        <PasswordField
          label="API key"
          secretLabel="API key"
          mono
          autoComplete="off"
          maxLength={500}
          value={values.key}
          onChange={(event) => change({ key: event.currentTarget.value })}
          help={
            maskedKey
              ? `${maskedKey} is saved. Leave this field empty to keep that key.`
              : 'Optional. Used for everyone without their own key.'
          }
          error={errors.key}
        />
        <ServiceHeadersField headers={values.headers} onChange={(headers) => change({ headers })} errors={errors} />
        {save.error && !(save.error instanceof ApiError && save.error.fields) && (
          <p role="alert" className="text-ui font-medium text-destructive">
            {describeFailure(save.error)}
          </p>
        )}
      </div>
    </FormDialog>
  )
}

const getOrigin = (text: string) => URL.parse(text)?.origin

function findCurrent(reason: unknown): ModelService | undefined {
  if (!(reason instanceof ApiError) || reason.code !== 'stale') return undefined
  return (reason.data as { current?: ModelService } | undefined)?.current
}

function describeFailure(reason: Error): string {
  const current = findCurrent(reason)
  if (current)
    return `Someone changed this service while you were editing: its name is now ${current.name} and its base URL ${current.base_url}. Save again to replace those values with yours.`
  return getServerMessage(reason) ?? 'The service couldn’t be saved. Check your connection.'
}

interface ServiceHeadersFieldProps {
  headers: HeaderValues[]
  onChange: (headers: HeaderValues[]) => void
  /** Keyed by field path: `headers`, `headers.0.name`. */
  errors: Record<string, string>
}

function ServiceHeadersField({ headers, onChange, errors }: ServiceHeadersFieldProps) {
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
