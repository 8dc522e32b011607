import { useQueryClient } from '@tanstack/react-query'
import { type BackupOverview, type BackupSchedule, backups } from '#contract/administration/backups.ts'
import { EntityForm } from '#web/offline/entity-form.tsx'
import { sendNow, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { backupsKey } from '../admin-queries.ts'

const frequencyOptions = [
  { value: 'daily', label: 'Every day' },
  { value: 'weekly', label: 'Every week' },
  { value: 'off', label: 'Never' },
]
const weekdayOptions = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'].map(
  (label, day) => ({ value: String(day), label }),
)
const hourOptions = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))

const toValues = ({ frequency, hour, weekday, keep }: BackupSchedule) => ({
  frequency: frequency as string,
  hour: String(hour),
  weekday: String(weekday),
  keep: String(keep),
})

export function ScheduleForm({ schedule }: { schedule: BackupSchedule }) {
  const queryClient = useQueryClient()
  const form = useEntityForm({
    draftKey: 'kept/backup-schedule',
    subject: 'The schedule',
    entity: schedule,
    toValues,
    blank: toValues(schedule),
    validate: ({ keep }) => ({ ...(!/^\d+$/.test(keep.trim()) && { keep: 'Enter a whole number.' }) }),
    // The whole schedule, since its parts belong together.
    send: (_, { values: { frequency, hour, weekday, keep }, rev }) =>
      sendNow(backups.saveSchedule, {
        body: {
          frequency: frequency as BackupSchedule['frequency'],
          hour: Number(hour),
          weekday: Number(weekday),
          keep: Number(keep),
        },
        ifMatch: rev ?? schedule.rev,
      }),
    onSaved: (result) => {
      if (result?.state === 'sent')
        queryClient.setQueryData<BackupOverview>(
          backupsKey,
          (previous) => previous && { ...previous, schedule: result.answer },
        )
    },
  })
  const { field, values, isDirty } = form
  const isOff = values.frequency === 'off'
  return (
    <Card>
      <EntityForm
        form={form}
        className="flex flex-col gap-4"
        saveLabel="Save"
        failureTitle="The schedule couldn’t be saved."
        disabled={!isDirty}
        note={isDirty && <span className="text-small text-muted-foreground">Not saved yet</span>}
      >
        <div className="grid grid-cols-4 gap-4 phone:grid-cols-2">
          <SelectField label="Make a backup" options={frequencyOptions} {...field('frequency')} />
          {values.frequency === 'weekly' && <SelectField label="Day" options={weekdayOptions} {...field('weekday')} />}
          {!isOff && (
            <>
              <SelectField label="From" help={schedule.time_zone} options={hourOptions} {...field('hour')} />
              <NumberField label="Keep the newest" min={1} max={1000} {...field('keep')} />
            </>
          )}
        </div>
        <p className="text-small text-muted-foreground">
          {schedule.next_at && !isDirty && (
            <>
              Next: <Time value={schedule.next_at} timeStyle="date-time" />.{' '}
            </>
          )}
          Older scheduled backups are deleted. Those made by hand stay until someone deletes them.
        </p>
      </EntityForm>
    </Card>
  )
}
