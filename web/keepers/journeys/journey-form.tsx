import { getJourneyEndProblem, type Journey, journeyStatuses, journeys, type Path } from '#contract/keepers/journeys.ts'
import { EntityFormDialog } from '#web/offline/entity-form.tsx'
import { applyPendingWrites } from '#web/offline/pending-write.ts'
import { getChanges, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { type PendingWrite, usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { Switch } from '#web/ui/controls/switch.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { pigmentOptions } from '../pigments.ts'
import { useKeeperWrite } from '../use-keeper-write.ts'
import { statusLabels } from './journey-list.tsx'

interface JourneyValues extends Pick<Journey, 'title' | 'purpose' | 'status' | 'color' | 'aiVisible'> {
  startedOn: string
  endsOn: string
}

const blankJourney: JourneyValues = {
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
  /** Called once the server has the journey. */
  onSaved?: (id: string) => void
  onClose: () => void
}

export function JourneyForm({ keeperId, journey, onSaved, onClose }: JourneyFormProps) {
  const write = useKeeperWrite(keeperId)
  const pendingWrites = usePendingWrites(keeperId)
  const form = useEntityForm({
    draftKey: journey ? `journey/${journey.id}` : `journey/new/${keeperId}`,
    subject: 'This journey',
    entity: journey ? applyPendingWrites(journey, pendingWrites.map(toUpdateWrite)) : null,
    toValues: toJourneyValues,
    blank: blankJourney,
    validate: ({ title, startedOn, endsOn }) => {
      const endsOnProblem = getJourneyEndProblem(startedOn, endsOn)
      return {
        ...(title.trim() === '' && { title: 'Enter a title.' }),
        ...(endsOnProblem && { endsOn: endsOnProblem }),
      }
    },
    toBody(values, previous) {
      const { startedOn, endsOn, ...fields } = getChanges(previous, { ...values, title: values.title.trim() })
      return {
        ...fields,
        ...(startedOn !== undefined && { startedOn: startedOn || null }),
        ...(endsOn !== undefined && { endsOn: endsOn || null }),
      }
    },
    async send(body, { id, rev }) {
      if (journey) return write(journeys.update, { params: { id: journey.id }, body, ifMatch: rev ?? 0 }, 'Journey')
      return write(journeys.create, { params: { id: keeperId }, body: { title: '', ...body, id } }, 'Journey')
    },
    onSaved(result) {
      if (result?.state === 'sent') onSaved?.(result.answer.id)
      onClose()
    },
  })
  const { values, set, field } = form
  return (
    <EntityFormDialog
      form={form}
      onClose={onClose}
      title={journey ? 'Edit journey' : 'New journey'}
      saveLabel={journey ? 'Save journey' : 'Start journey'}
      failureTitle={journey ? 'Failed to update journey' : 'Failed to create journey'}
    >
      <TextField label="Title" required maxLength={120} {...field('title')} />
      <TextArea
        label="Purpose"
        serif
        help="What the journey is for. Its story starts with this text."
        maxLength={5000}
        {...field('purpose')}
      />
      <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">
        <SelectField label="Status" options={statusOptions} {...field('status')} />
        <SelectField label="Color" options={pigmentOptions} {...field('color')} />
        <TextField label="From" type="date" {...field('startedOn')} />
        <TextField label="To" type="date" {...field('endsOn')} />
      </div>
      <Switch
        label="Not for AI"
        help="Agents never see this journey."
        checked={!values.aiVisible}
        onCheckedChange={(isHidden) => set({ aiVisible: !isHidden })}
      />
    </EntityFormDialog>
  )
}

const statusOptions = journeyStatuses.map((value) => ({ value, label: statusLabels[value] }))

/** Completing a journey has the effect of an update of its status. */
const toUpdateWrite = (write: PendingWrite): PendingWrite =>
  write.endpoint.path === journeys.complete.path ? { ...write, body: { status: 'completed' } } : write

function toJourneyValues({ title, purpose, status, startedOn, endsOn, color, aiVisible }: Journey): JourneyValues {
  return { title, purpose, status, startedOn: startedOn ?? '', endsOn: endsOn ?? '', color, aiVisible }
}

interface PathDialogProps {
  keeperId: string
  journeyId: string
  /** Absent for a new path. */
  path?: Path
  onClose: () => void
}

export const requireTitle = ({ title }: { title: string }): Record<string, string> =>
  title.trim() === '' ? { title: 'Enter a title.' } : {}

export function PathDialog({ keeperId, journeyId, path, onClose }: PathDialogProps) {
  const write = useKeeperWrite(keeperId)
  const form = useEntityForm({
    draftKey: path ? `path-title/${path.id}` : `path-title/new/${journeyId}`,
    subject: 'This path',
    entity: path ?? null,
    toValues: ({ title }: Path) => ({ title }),
    blank: { title: '' },
    validate: requireTitle,
    async send({ title = '' }, { id, rev }) {
      const body = { title: title.trim() }
      if (path) return write(journeys.updatePath, { params: { id: path.id }, body, ifMatch: rev ?? 0 }, 'Path')
      return write(journeys.createPath, { params: { id: journeyId }, body: { id, ...body, state: 'open' } }, 'Path')
    },
    onSaved: onClose,
  })
  return (
    <EntityFormDialog
      form={form}
      size="small"
      onClose={onClose}
      title={path ? 'Rename path' : 'Add a path'}
      description={path ? undefined : 'A way this journey could go. A new path starts open: take it, or decide not to.'}
      saveLabel={path ? 'Save path' : 'Add path'}
      failureTitle="The path couldn’t be saved."
    >
      <TextField label="Title" required maxLength={120} {...form.field('title')} />
    </EntityFormDialog>
  )
}
