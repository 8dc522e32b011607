import type { Pigment } from '#contract/keepers/journeys.ts'
import { type Topic, topics } from '#contract/keepers/topics.ts'
import { EntityFormDialog } from '#web/offline/entity-form.tsx'
import { applyPendingWrites } from '#web/offline/pending-write.ts'
import { getChanges, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { ChipInput } from '#web/ui/fields/chip-input.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { pigmentOptions } from '../pigments.ts'
import { useKeeperWrite } from '../use-keeper-write.ts'

interface TopicValues {
  name: string
  aliases: string[]
  /** '' derives the color from the name. */
  color: Pigment | ''
  note: string
}

const blankTopic: TopicValues = { name: '', aliases: [], color: '', note: '' }

interface TopicFormProps {
  keeperId: string
  /** Absent for a new topic. */
  topic?: Topic
  onSaved?: (id: string) => void
  onRenamed?: (topic: Topic) => void
  onClose: () => void
}

export function TopicForm({ keeperId, topic, onSaved, onRenamed, onClose }: TopicFormProps) {
  const write = useKeeperWrite(keeperId)
  const pendingWrites = usePendingWrites(keeperId)
  const form = useEntityForm({
    draftKey: topic ? `topic/${topic.id}` : `topic/new/${keeperId}`,
    subject: 'This topic',
    entity: topic ? applyPendingWrites(topic, pendingWrites) : null,
    toValues: ({ name, aliases, color, note }: Topic): TopicValues => ({ name, aliases, color, note }),
    blank: blankTopic,
    validate: ({ name }) => ({ ...(name.trim() === '' && { name: 'Enter a name.' }) }),
    toBody(values, previous) {
      const { color, ...body } = getChanges(previous, { ...values, name: values.name.trim() })
      return { ...body, ...(color && { color }) }
    },
    async send(body, { id, rev }) {
      if (topic) return write(topics.update, { params: { id: topic.id }, body, ifMatch: rev ?? 0 }, 'Topic')
      return write(topics.create, { params: { id: keeperId }, body: { name: '', ...body, id } }, 'Topic')
    },
    onSaved(result) {
      if (result?.state === 'sent') {
        onSaved?.(result.answer.id)
        if (topic && result.answer.name !== topic.name) onRenamed?.(result.answer)
      }
      onClose()
    },
  })
  const { values, set, field, errors } = form
  return (
    <EntityFormDialog
      form={form}
      onClose={onClose}
      title={topic ? `Edit ${topic.name}` : 'New topic'}
      saveLabel={topic ? 'Save topic' : 'Create topic'}
      failureTitle={topic ? 'Failed to update topic' : 'Failed to create topic'}
    >
      <TextField
        label="Name"
        required
        maxLength={80}
        help={topic && 'If you rename the topic, its current name is added to Other names.'}
        {...field('name')}
      />
      <ChipInput
        label="Other names"
        value={values.aliases}
        error={errors.aliases}
        help="Entries that use any of these names belong to this topic."
        onValueChange={(aliases) => set({ aliases })}
      />
      <SelectField
        label="Color"
        options={topic ? pigmentOptions : [{ value: '', label: 'Based on the name' }, ...pigmentOptions]}
        {...field('color')}
      />
      <TextArea label="Note" serif maxLength={5000} {...field('note')} />
    </EntityFormDialog>
  )
}
