import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { type CallInput, call, NetworkError } from '#web/api/api.ts'
import { EntityForm } from '#web/offline/entity-form.tsx'
import { sendOrQueue } from '#web/offline/send-or-queue.ts'
import { type EntityForm as Form, getChanges, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { keeperTypesQuery } from '#web/queries/keeper-types-query.ts'
import { builtInThemes } from '#web/themes/base/theme-colors.ts'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Detail } from '#web/ui/panels/detail-list.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { describePattern, getPatternLabel, getPatternOptions } from '../keeper-labels.ts'
import { keeperKey, keepersKey } from '../keeper-queries.ts'
import { useCustomPatterns } from '../memory-pattern-queries.ts'
import { getTypeName } from '../shelf/keeper-list-rules.ts'

interface KeeperFieldsProps {
  form: Form<KeeperValues>
  /** New keepers need a type; existing ones can have none. */
  isTypeRequired?: boolean
}

export function KeeperFields({ form: { values, set, field, errors }, isTypeRequired = false }: KeeperFieldsProps) {
  const { data: types, error } = useQuery(keeperTypesQuery)
  const customPatterns = useCustomPatterns()
  const isListedType = types?.some(({ id }) => id === values.keeperTypeId) ?? false
  return (
    <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">
      <TextField label="Title" required maxLength={120} {...field('title')} className="col-span-2 phone:col-span-1" />
      <TextArea
        label="Purpose"
        required
        maxLength={2000}
        {...field('purpose')}
        className="col-span-2 phone:col-span-1"
      />
      <SelectField
        label="Keeper type"
        {...field('keeperTypeId')}
        error={errors.keeperTypeId ?? errors.keeperType}
        help={error ? 'Failed to load keeper types. The current type stays.' : undefined}
        options={[
          ...(isTypeRequired ? [] : [{ value: '', label: 'No type' }]),
          ...(values.keeperTypeId !== '' && !isListedType
            ? [{ value: values.keeperTypeId, label: 'Current type' }]
            : []),
          ...(types ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <SelectField
        label="Memory pattern"
        {...field('memoryPattern')}
        help={describePattern(values.memoryPattern, customPatterns)}
        options={getPatternOptions(values.memoryPattern, customPatterns)}
      />
      <SelectField
        label="Theme"
        {...field('theme')}
        help="The colors of this keeper’s pages. With Keeper Classic, this keeper uses your own theme."
        options={builtInThemes.map(({ slug, name }) => ({ value: slug, label: name }))}
      />
      <Checkbox
        label="Public page (coming later)"
        help="Nothing becomes visible yet. Your choice takes effect once public pages exist."
        checked={values.isPublic}
        onCheckedChange={(isPublic) => set({ isPublic })}
        className="self-center"
      />
    </div>
  )
}

export interface KeeperValues {
  title: string
  purpose: string
  /** '' for none. */
  keeperTypeId: string
  memoryPattern: string
  theme: string
  isPublic: boolean
}
type KeeperChanges = NonNullable<CallInput<typeof keepers.update>['body']>

export function toKeeperValues(keeper: Keeper): KeeperValues {
  const { title, purpose, keeperTypeId, memoryPattern, theme, isPublic } = keeper
  return { title, purpose, keeperTypeId: keeperTypeId ?? '', memoryPattern, theme, isPublic }
}

export const isComplete = ({ title, purpose }: Pick<KeeperValues, 'title' | 'purpose'>) =>
  title.trim() !== '' && purpose.trim() !== ''

/** Only changed fields, so that concurrent changes to other fields survive. */
export function getKeeperChanges(previous: KeeperValues | null, values: KeeperValues): KeeperChanges {
  const { keeperTypeId, ...changes } = getChanges(previous, values)
  return { ...changes, ...(keeperTypeId !== undefined && { keeperTypeId: keeperTypeId || null }) } as KeeperChanges
}

export function KeeperDetails({ keeper }: { keeper: Keeper }) {
  return (
    <dl className="grid grid-cols-3 gap-x-8 gap-y-5 phone:grid-cols-2">
      <Detail label="Title" className="col-span-3 phone:col-span-2">
        {keeper.title}
      </Detail>
      <Detail label="Purpose" className="col-span-3 phone:col-span-2">
        <span dir="auto" className="whitespace-pre-line">
          {keeper.purpose}
        </span>
      </Detail>
      <Detail label="Keeper type">{getTypeName(keeper)}</Detail>
      <Detail label="Memory pattern">{getPatternLabel(keeper.memoryPattern)}</Detail>
      <Detail label="Theme">{builtInThemes.find(({ slug }) => slug === keeper.theme)?.name ?? keeper.theme}</Detail>
      <Detail label="Owner">{keeper.owner.name ?? 'You'}</Detail>
      <Detail label="Created">
        <Time value={keeper.createdAt} />
      </Detail>
      <Detail label="Last updated">
        <Time value={keeper.updatedAt} />
      </Detail>
      <Detail label="Journeys">{keeper._count.Journey.toLocaleString('en-US')}</Detail>
      <Detail label="Paths">{keeper._count.Path.toLocaleString('en-US')}</Detail>
    </dl>
  )
}

type NewKeeper = CallInput<typeof keepers.create>['body']
export type KeeperTheme = NonNullable<NewKeeper['theme']>

/** If an earlier attempt created the keeper but its answer was lost, applies the current form values to it. */
export async function createKeeper(body: NewKeeper): Promise<Keeper> {
  const createdKeeper = await call(keepers.create, { body })
  const { title, purpose, theme = 'keeper-classic', isPublic = false } = body
  const { memoryPattern = createdKeeper.memoryPattern, keeperType = createdKeeper.keeperType } = body
  const requestedFields = { title: title.trim(), purpose: purpose.trim(), keeperType, memoryPattern, theme, isPublic }
  const matchesRequest = (Object.keys(requestedFields) as (keyof typeof requestedFields)[]).every(
    (name) => requestedFields[name] === createdKeeper[name],
  )
  return matchesRequest
    ? createdKeeper
    : call(keepers.update, { params: { id: createdKeeper.id }, body: requestedFields })
}

interface KeeperEdit {
  isEditing: boolean
  /** Closing the form keeps the draft. */
  setEditing: (isEditing: boolean) => void
  form: Form<KeeperValues>
  /** The result of the last save. */
  saveResult: 'sent' | 'queued' | undefined
}

export function useKeeperEdit(keeper: Keeper): KeeperEdit {
  const queryClient = useQueryClient()
  const [isFormOpen, setFormOpen] = useState<boolean>()
  const [saveResult, setSaveResult] = useState<'sent' | 'queued'>()
  const form = useEntityForm({
    draftKey: `keeper/${keeper.id}/settings`,
    subject: 'This keeper',
    entity: keeper,
    toValues: toKeeperValues,
    blank: toKeeperValues(keeper),
    toBody: (values, previous) => getKeeperChanges(previous, values),
    send: (body, { rev }) =>
      sendOrQueue(
        keepers.update,
        { params: { id: keeper.id }, body, ifMatch: rev ?? keeper.rev },
        { what: 'Keeper', keeperId: keeper.id },
      ),
    async onSaved(result) {
      setFormOpen(false)
      setSaveResult(result?.state)
      if (result?.state === 'sent') queryClient.setQueryData(keeperKey(keeper.id), result.answer)
      await Promise.all(
        [keepersKey, ['keeper'], ['keeper-types']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      )
    },
  })
  return {
    isEditing: isFormOpen ?? form.restored,
    setEditing(next) {
      setFormOpen(next)
      setSaveResult(undefined)
    },
    form,
    saveResult,
  }
}

/** After a network error, the server may or may not have saved the keeper. */
export const getFailureTitle = (failure: unknown, title: string) =>
  failure instanceof NetworkError ? 'Failed to save keeper' : title

export function KeeperEditForm({ edit: { form, setEditing } }: { edit: KeeperEdit }) {
  const canSave = isComplete(form.values)
  return (
    <EntityForm
      form={form}
      aria-label="Edit keeper"
      className="flex flex-col gap-5"
      saveLabel="Save"
      failureTitle={getFailureTitle(form.failure, 'Failed to update keeper')}
      disabled={!canSave}
      onCancel={() => setEditing(false)}
      note={!canSave && <IncompleteNote />}
    >
      <KeeperFields form={form} />
    </EntityForm>
  )
}

export function IncompleteNote() {
  return <p className="text-small text-muted-foreground">Enter a title and a purpose to save.</p>
}

export function SavedBanner({ edit: { saveResult } }: { edit: KeeperEdit }) {
  if (!saveResult) return null
  return (
    <Banner tone={saveResult === 'sent' ? 'success' : 'info'} className="mb-5">
      {saveResult === 'sent'
        ? 'Keeper saved.'
        : 'The server can’t be reached. Your change is saved in this browser and waiting to be sent.'}
    </Banner>
  )
}
