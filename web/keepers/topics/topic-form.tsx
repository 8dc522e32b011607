import { type FormEvent, useState } from 'react'
import type { Pigment } from '#contract/keepers/journeys.ts'
import { type Topic, topics } from '#contract/keepers/topics.ts'
import { ApiError } from '#web/api.ts'
import { ConflictDialog, type ConflictField, getConflict, saveOrResolveAgain } from '#web/offline/conflict-dialog.tsx'
import { createClientId, getDraftId } from '#web/offline/create-client-id.ts'
import { applyPendingWrites } from '#web/offline/pending-write.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { ChipInput } from '#web/ui/chip-input.tsx'
import { focusFirstField } from '#web/ui/focus-first-field.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { toFieldErrors } from '../entries/field-errors.ts'
import { pigmentOptions } from '../pigments.ts'
import type { KeeperWrite } from '../use-keeper-write.ts'

interface TopicFormValues {
  /** Assigned when typing starts, so that a retried create can't add a second topic. */
  id: string
  name: string
  aliases: string[]
  /** '' derives the color from the name. */
  color: Pigment | ''
  note: string
  /** The revision this draft is based on. */
  rev?: number
}

interface TopicFormProps {
  keeperId: string
  /** Absent for a new topic. */
  topic?: Topic
  write: KeeperWrite
  onSaved?: (id: string) => void
  onRenamed?: (topic: Topic) => void
  onClose: () => void
}

export function TopicForm({ keeperId, topic, write, onSaved, onRenamed, onClose }: TopicFormProps) {
  const pendingWrites = usePendingWrites(keeperId)
  const [initialValues] = useState(() => toFormValues(topic && applyPendingWrites(topic, pendingWrites)))
  const draft = useDraft<TopicFormValues>(topic ? `topic/${topic.id}` : `topic/new/${keeperId}`, initialValues)
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [current, setCurrent] = useState<Topic>()
  const formValues = draft.value

  function changeValues(changes: Partial<TopicFormValues>) {
    setErrors({})
    draft.set({ ...formValues, ...changes, id: topic?.id ?? getDraftId(draft) })
  }
  async function save({ id: draftId, color, rev: _, ...fields }: TopicFormValues, baseRev: number | undefined) {
    const id = topic?.id ?? (draftId || createClientId())
    const body = { ...fields, name: fields.name.trim(), ...(color !== '' && { color }) }
    const sendResult = topic
      ? await write(topics.update, { params: { id }, body, ifMatch: baseRev }, 'Topic')
      : await write(topics.create, { params: { id: keeperId }, body: { id, ...body } }, 'Topic')
    draft.clear()
    if (sendResult?.state === 'sent') {
      onSaved?.(id)
      if (topic && sendResult.answer.name !== topic.name) onRenamed?.(sendResult.answer)
    }
    onClose()
  }
  async function submit(event: FormEvent) {
    event.preventDefault()
    if (formValues.name.trim() === '') return setErrors({ name: 'Enter a name.' })
    setBusy(true)
    try {
      await save(formValues, formValues.rev)
    } catch (reason) {
      const conflict = getConflict<Topic>(reason)
      if (conflict) setCurrent(conflict.current)
      else if (reason instanceof ApiError && reason.fields) setErrors(toFieldErrors(reason.fields))
      else setErrors({ name: reason instanceof Error ? reason.message : String(reason) })
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <FormDialog
        onClose={onClose}
        onOpenAutoFocus={focusFirstField}
        title={topic ? `Edit ${topic.name}` : 'New topic'}
        form={{ onSubmit: submit, className: 'flex flex-col gap-4' }}
        submitLabel={topic ? 'Save topic' : 'Create topic'}
        busyLabel="Saving..."
        busy={busy}
      >
        <ReadOnlyWhile while={busy}>
          <TextField
            label="Name"
            required
            maxLength={80}
            value={formValues.name}
            error={errors.name}
            help={topic && 'The current name is kept as another name.'}
            onChange={(event) => changeValues({ name: event.currentTarget.value })}
          />
          <ChipInput
            label="Other names"
            value={formValues.aliases}
            error={errors.aliases}
            help="Entries that use any of these names belong to this topic."
            onValueChange={(aliases) => changeValues({ aliases })}
          />
          <SelectField
            label="Color"
            options={topic ? pigmentOptions : [{ value: '', label: 'Based on the name' }, ...pigmentOptions]}
            value={formValues.color}
            onChange={(event) => changeValues({ color: event.currentTarget.value as TopicFormValues['color'] })}
          />
          <TextArea
            label="Note"
            serif
            maxLength={5000}
            value={formValues.note}
            error={errors.note}
            onChange={(event) => changeValues({ note: event.currentTarget.value })}
          />
        </ReadOnlyWhile>
      </FormDialog>
      <ConflictDialog
        open={current !== undefined}
        subject="This topic"
        fields={current ? toTopicConflicts(formValues, toFormValues(current)) : []}
        conflictKey={`topic/${topic?.id}`}
        onResolve={({ aliases, ...values }) => {
          const names = aliases !== undefined && { aliases: aliases.split('\n').filter(Boolean) }
          return saveOrResolveAgain<Topic>(save({ ...formValues, ...values, ...names }, current?.rev), setCurrent)
        }}
        onOpenChange={(open) => !open && setCurrent(undefined)}
      />
    </>
  )
}

const toFormValues = (topic: Topic | undefined): TopicFormValues => ({
  id: topic?.id ?? '',
  name: topic?.name ?? '',
  aliases: topic?.aliases ?? [],
  color: topic?.color ?? '',
  note: topic?.note ?? '',
  rev: topic?.rev,
})

/** Conflict fields: texts always, other names and color only where they differ. */
function toTopicConflicts(local: TopicFormValues, current: TopicFormValues): ConflictField[] {
  const createField = (
    name: string,
    label: string,
    localText: string,
    currentText: string,
    choiceOnly = false,
  ): ConflictField => ({
    name,
    label,
    yours: localText,
    current: currentText,
    choiceOnly,
  })
  const [localText, currentText] = [local.aliases.join('\n'), current.aliases.join('\n')]
  return [
    createField('name', 'Name', local.name, current.name),
    createField('note', 'Note', local.note, current.note),
    ...(localText === currentText ? [] : [createField('aliases', 'Other names', localText, currentText, true)]),
    ...(local.color === current.color ? [] : [createField('color', 'Color', local.color, current.color, true)]),
  ]
}
