import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  type ModelService,
  maxServiceHeaders,
  modelServices,
  type SavedModelService,
} from '#contract/providers/model-services.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { EntityFormDialog } from '#web/offline/entity-form.tsx'
import { sendNow, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { withNames } from '#web/ui/text/with-names.tsx'
import { useInvalidateServices } from '../key-queries.ts'
import {
  applyPreset,
  blankService,
  correctBaseUrl,
  createHeader,
  formatServiceField,
  type HeaderValues,
  type ServiceValues,
  servicePresets,
  suggestId,
  toServiceBody,
  toServiceValues,
} from './service-values.ts'

interface ModelServiceDialogProps {
  service: ModelService | undefined
  maskedKey: string | undefined
  onSaved: (service: SavedModelService) => void
  onClose: () => void
}

export function ModelServiceDialog({ service, maskedKey, onSaved, onClose }: ModelServiceDialogProps) {
  const [preset, setPreset] = useState('')
  const [isIdTyped, setIdTyped] = useState(false)
  const [note, setNote] = useState<string>()
  const refresh = useInvalidateServices()
  const form = useEntityForm<SavedModelService | ModelService, ServiceValues>({
    draftKey: `model-service/${service?.id ?? 'new'}`,
    draftOptions: { isStored: false },
    subject: 'This service',
    entity: service ?? null,
    toValues: toServiceValues,
    blank: blankService,
    validate({ base_url }): Record<string, string> {
      const { error } = base_url === service?.base_url ? {} : correctBaseUrl(base_url)
      return error ? { base_url: error } : {}
    },
    formatField: formatServiceField,
    send(_, { values, rev, key: idempotencyKey }) {
      const body = toServiceBody(values, service)
      return service
        ? sendNow(modelServices.update, { params: { id: service.id }, body, ifMatch: rev ?? service.rev })
        : sendNow(modelServices.create, { body: { ...body, id: values.id, base_url: values.base_url }, idempotencyKey })
    },
    async onSaved(result) {
      await refresh()
      const isUnchanged = result === undefined
      if (isUnchanged && service) onSaved({ ...service, correction: null })
      else if (result?.state === 'sent' && 'correction' in result.answer) onSaved(result.answer)
      else onClose()
    },
  })
  const { values, set, field, errors } = form

  function checkAddress(text: string) {
    if (text === service?.base_url) return
    const checked = correctBaseUrl(text)
    if (checked.note) {
      set({ base_url: checked.baseUrl })
      setNote(checked.note)
    }
    if (checked.error) form.check('base_url')
  }

  function choosePreset(id: string) {
    const next = applyPreset(values, id, preset)
    setPreset(id)
    setNote(undefined)
    set(next)
    // A preset's placeholder isn't an error before anyone could replace it.
    if (!correctBaseUrl(next.base_url).error) checkAddress(next.base_url)
  }

  const isOtherHost = service !== undefined && getOrigin(values.base_url) !== getOrigin(service.base_url)
  return (
    <EntityFormDialog
      form={form}
      onClose={onClose}
      title={service ? `Edit ${service.name}` : 'Add a service'}
      description="A service with an OpenAI-compatible API. Everyone here can use it in agents, with the key below or their own."
      saveLabel={service ? 'Save service' : 'Add service'}
      failureTitle="The service couldn’t be saved."
      locksWhileBusy
    >
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
        {...field('name')}
        onChange={(event) => {
          const name = event.currentTarget.value
          set({ name, ...(!service && !isIdTyped && preset === '' && { id: suggestId(name) }) })
        }}
      />
      {!service && (
        <TextField
          label="ID"
          required
          mono
          maxLength={40}
          autoCapitalize="none"
          spellCheck={false}
          {...field('id')}
          onChange={(event) => {
            setIdTyped(true)
            set({ id: event.currentTarget.value })
          }}
          help="Agents refer to the service by this ID. The ID can’t be changed later."
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
        {...field('base_url')}
        onChange={(event) => {
          setNote(undefined)
          set({ base_url: event.currentTarget.value })
        }}
        onBlur={(event) => checkAddress(event.currentTarget.value)}
        help={
          note ??
          (isOtherHost
            ? 'The host is different, so enter the key and header values again. Keys that people saved for the old host will be deleted.'
            : 'The address of the API, including the version path. Addresses on this machine work too.')
        }
      />
      <PasswordField
        label="API key"
        secretLabel="API key"
        mono
        autoComplete="off"
        maxLength={500}
        {...field('key')}
        help={
          maskedKey
            ? `${maskedKey} is saved. Leave this field empty to keep that key.`
            : 'Optional. Used for everyone without their own key.'
        }
      />
      <ServiceHeadersField headers={values.headers} onChange={(headers) => set({ headers })} errors={errors} />
    </EntityFormDialog>
  )
}

const getOrigin = (text: string) => URL.parse(text)?.origin

interface ServiceHeadersFieldProps {
  headers: HeaderValues[]
  onChange: (headers: HeaderValues[]) => void
  /** Keyed by field path: `headers`, `headers.0.name`. */
  errors: Record<string, string>
}

export function ServiceHeadersField({ headers, onChange, errors }: ServiceHeadersFieldProps) {
  const updateHeader = (key: string, changes: Partial<HeaderValues>) =>
    onChange(headers.map((header) => (header.key === key ? { ...header, ...changes } : header)))
  const hasHeaderErrors = Object.keys(errors).some((path) => path.startsWith('headers.'))
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1.5 text-ui leading-[1.125rem] font-label">Headers</legend>
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
      {errors.headers && !hasHeaderErrors ? (
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

interface RemoveModelServiceDialogProps {
  service: ModelService | undefined
  onClose: () => void
  onRemoved: (text: string) => void
}

export function RemoveModelServiceDialog({ service, onClose, onRemoved }: RemoveModelServiceDialogProps) {
  const refresh = useInvalidateServices()

  async function remove() {
    if (!service) return
    await call(modelServices.remove, { params: { id: service.id } })
    onRemoved(`${service.name} deleted.`)
    await refresh()
  }

  return (
    <ConfirmDialog
      open={service !== undefined}
      onOpenChange={(open) => !open && onClose()}
      title={withNames`Delete ${service?.name ?? ''}?`}
      confirmLabel="Delete service"
      busyLabel="Deleting..."
      onConfirm={remove}
      formatError={(reason) => getServerMessage(reason) ?? 'The service couldn’t be deleted.'}
    >
      {service && describeConsequences(service)}
    </ConfirmDialog>
  )
}

function describeConsequences({ name, agents, personal_keys: keys }: ModelService): string {
  const personalKeysText = keys === 0 ? '' : `, and ${pluralize(keys, 'key')} that people saved for it`
  return `${describeUse(name, agents)} Its key and headers are deleted too${personalKeysText}.`
}

function describeUse(name: string, agentCount: number): string {
  if (agentCount === 0) return `No agent uses ${name}.`
  if (agentCount === 1) return `1 agent uses ${name}. Its runs fail until it gets another model provider.`
  return `${pluralize(agentCount, 'agent')} use ${name}. Their runs fail until they get another model provider.`
}
