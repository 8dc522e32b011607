import { type FormEvent, useState } from 'react'
import {
  getJourneyEndProblem,
  type Journey,
  journeyStatuses,
  journeys,
  type Pigment,
} from '#contract/keepers/journeys.ts'
import { ConflictDialog, type ConflictField, getConflict, saveOrResolveAgain } from '#web/offline/conflict-dialog.tsx'
import { createClientId, getDraftId } from '#web/offline/create-client-id.ts'
import { applyPendingWrites } from '#web/offline/pending-write.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { type PendingWrite, usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { focusFirstField } from '#web/ui/focus-first-field.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { pigmentOptions } from '../pigments.ts'
import type { KeeperWrite } from '../use-keeper-write.ts'
import { statusLabels } from './journey-list.tsx'
import { TitleField } from './title-field.tsx'

interface JourneyFormValues {
  /** Assigned when typing starts, so that a retried create can't add a second journey. */
  id: string
  title: string
  purpose: string
  status: Journey['status']
  startedOn: string
  endsOn: string
  color: Pigment
  aiVisible: boolean
  /** The revision this draft is based on, and its AI visibility then. */
  rev?: number
  wasAiVisible?: boolean
}

const emptyFormValues: JourneyFormValues = {
  id: '',
  title: '',
  purpose: '',
  status: 'active',
  startedOn: '',
  endsOn: '',
  color: 'iron-gall',
  aiVisible: true,
}

interface JourneyFormProps {
  keeperId: string
  /** Absent for a new journey. */
  journey?: Journey
  write: KeeperWrite
  onSaved: (id: string, sent: boolean) => void
  onClose: () => void
}

export function JourneyForm({ keeperId, journey, write, onSaved, onClose }: JourneyFormProps) {
  const pendingWrites = usePendingWrites(keeperId)
  const [initialValues] = useState(() =>
    journey ? toFormValues(applyPendingWrites(journey, pendingWrites.map(toUpdateWrite))) : emptyFormValues,
  )
  const draft = useDraft<JourneyFormValues>(
    journey ? `journey/${journey.id}` : `journey/new/${keeperId}`,
    initialValues,
  )
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [endDateError, setEndDateError] = useState<string>()
  const [current, setCurrent] = useState<Journey>()
  const formValues = draft.value
  const changeValues = (changes: Partial<JourneyFormValues>) =>
    draft.set({ ...formValues, ...changes, id: journey?.id ?? getDraftId(draft) })

  async function save(submitted: JourneyFormValues, baseRev: number | undefined) {
    const { id: draftId, startedOn, endsOn, rev: _, aiVisible, wasAiVisible, ...fields } = submitted
    const id = journey?.id ?? (draftId || createClientId())
    const body = {
      ...{ ...fields, title: submitted.title.trim(), startedOn: startedOn || null, endsOn: endsOn || null },
      // Sent only if changed here: someone may have hidden the journey in the meantime.
      ...(aiVisible !== wasAiVisible && { aiVisible }),
    }
    const sendResult = journey
      ? await write(journeys.update, { params: { id }, body, ifMatch: baseRev }, 'Journey')
      : await write(journeys.create, { params: { id: keeperId }, body: { id, ...body } }, 'Journey')
    draft.clear()
    if (sendResult) onSaved(id, sendResult.state === 'sent')
    onClose()
  }
  async function submit(event: FormEvent) {
    event.preventDefault()
    if (formValues.title.trim() === '') return setError('Enter a title.')
    const endDateProblem = getJourneyEndProblem(formValues.startedOn, formValues.endsOn)
    if (endDateProblem) return setEndDateError(endDateProblem)
    setBusy(true)
    try {
      await save(formValues, formValues.rev)
    } catch (reason) {
      const conflict = getConflict<Journey>(reason)
      if (conflict) setCurrent(conflict.current)
      else setError(reason instanceof Error ? reason.message : String(reason))
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <FormDialog
        onClose={onClose}
        onOpenAutoFocus={focusFirstField}
        title={journey ? 'Edit journey' : 'New journey'}
        form={{ onSubmit: submit, className: 'flex flex-col gap-4' }}
        submitLabel={journey ? 'Save journey' : 'Start journey'}
        busyLabel="Saving..."
        busy={busy}
      >
        <ReadOnlyWhile while={busy}>
          <TitleField
            value={formValues.title}
            error={error}
            onChange={(title) => {
              setError(undefined)
              changeValues({ title })
            }}
          />
          <TextArea
            label="Purpose"
            serif
            help="What the journey is for. Its story starts with this text."
            maxLength={5000}
            value={formValues.purpose}
            onChange={(event) => changeValues({ purpose: event.currentTarget.value })}
          />
          <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">
            <SelectField
              label="Status"
              options={statusOptions}
              value={formValues.status}
              onChange={(event) => changeValues({ status: event.currentTarget.value as JourneyFormValues['status'] })}
            />
            <SelectField
              label="Color"
              options={pigmentOptions}
              value={formValues.color}
              onChange={(event) => changeValues({ color: event.currentTarget.value as Pigment })}
            />
            <TextField
              label="From"
              type="date"
              value={formValues.startedOn}
              onChange={(event) => {
                setEndDateError(undefined)
                changeValues({ startedOn: event.currentTarget.value })
              }}
            />
            <TextField
              label="To"
              type="date"
              value={formValues.endsOn}
              error={endDateError}
              onChange={(event) => {
                setEndDateError(undefined)
                changeValues({ endsOn: event.currentTarget.value })
              }}
            />
          </div>
          <Switch
            label="Not for AI"
            help="Agents never see this journey."
            checked={!formValues.aiVisible}
            onCheckedChange={(hidden) => changeValues({ aiVisible: !hidden })}
          />
        </ReadOnlyWhile>
      </FormDialog>
      <ConflictDialog
        open={current !== undefined}
        subject="This journey"
        fields={current ? toConflictFields(formValues, toFormValues(current)) : []}
        conflictKey={`journey/${journey?.id}`}
        onResolve={(values) =>
          saveOrResolveAgain<Journey>(save({ ...formValues, ...values } as JourneyFormValues, current?.rev), setCurrent)
        }
        onOpenChange={(open) => !open && setCurrent(undefined)}
      />
    </>
  )
}

const statusOptions = journeyStatuses.map((value) => ({ value, label: statusLabels[value] }))

const toUpdateWrite = (write: PendingWrite): PendingWrite =>
  write.endpoint.path === journeys.complete.path ? { ...write, body: { status: 'completed' } } : write

function toFormValues({
  id,
  title,
  purpose,
  status,
  startedOn,
  endsOn,
  color,
  aiVisible,
  rev,
}: Journey): JourneyFormValues {
  return {
    ...{ id, title, purpose, status, startedOn: startedOn ?? '', endsOn: endsOn ?? '', color },
    ...{ aiVisible, wasAiVisible: aiVisible, rev },
  }
}

/** Conflict fields: texts always, choices only where they differ. */
function toConflictFields(local: JourneyFormValues, current: JourneyFormValues): ConflictField[] {
  const texts: ConflictField[] = [
    { name: 'title', label: 'Title', yours: local.title, current: current.title },
    { name: 'purpose', label: 'Purpose', yours: local.purpose, current: current.purpose },
  ]
  const labels = { status: 'Status', startedOn: 'From', endsOn: 'To', color: 'Color' } as const
  const names = (Object.keys(labels) as (keyof typeof labels)[]).filter((name) => local[name] !== current[name])
  return [
    ...texts,
    ...names.map((name) => ({
      name,
      label: labels[name],
      yours: local[name],
      current: current[name],
      choiceOnly: true,
    })),
  ]
}
