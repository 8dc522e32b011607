import type { MemoryCard } from '#contract/keepers/memory-cards.ts'
import { EntityFormDialog } from '#web/offline/entity-form.tsx'
import { getChanges } from '#web/offline/form-draft.ts'
import { useEntityForm } from '#web/offline/use-entity-form.tsx'
import { Switch } from '#web/ui/controls/switch.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { useCardStatus, useCards, useRefreshCards } from './card-queries.ts'
import type { CardChanges } from './cards-backend.ts'

const toCardValues = ({ content, topic, aiVisible }: MemoryCard) => ({ content, topic: topic ?? '', aiVisible })
type CardValues = ReturnType<typeof toCardValues>

export function CardForm({ card, onClose }: { card: MemoryCard; onClose: () => void }) {
  const { backend, demo } = useCards()
  const { data: status } = useCardStatus()
  const refresh = useRefreshCards()
  const form = useEntityForm<MemoryCard, CardValues, CardChanges>({
    draftKey: `${demo ? 'sample-' : ''}card/${card.id}`,
    subject: 'This memory card',
    entity: card,
    toValues: toCardValues,
    blank: toCardValues(card),
    toBody(values, previous) {
      const { topic, ...changes } = getChanges(previous, values)
      return { ...changes, ...(topic !== undefined && { topic: topic.trim() || null }) }
    },
    send: (changes, { rev }) => backend.update(card.id, changes, rev ?? card.rev),
    onSaved(result) {
      onClose()
      const isQueued = result?.state === 'queued'
      void showToast(isQueued ? 'Memory card: waiting to be sent. It’s safe in this browser.' : 'Memory card saved')
      return refresh()
    },
  })
  const { values, set, field, errors } = form
  const isEmpty = values.content.trim() === ''
  return (
    <EntityFormDialog
      form={form}
      aria-label="Memory card"
      onClose={onClose}
      discardsOnCancel
      title="Edit memory card"
      description={form.restored ? 'Draft restored.' : undefined}
      size="large"
      saveLabel="Save"
      failureTitle="Failed to update memory card"
      offersRetry
      disabled={isEmpty}
    >
      <TextField label="Topic" maxLength={80} list={`topics-${card.id}`} {...field('topic')} />
      <datalist id={`topics-${card.id}`}>
        {status?.topics.map(({ topic }) => (
          <option key={topic} value={topic} />
        ))}
      </datalist>
      <TextArea
        label="Text"
        required
        serif
        rows={10}
        maxLength={500_000}
        {...field('content')}
        error={isEmpty ? 'Write something first.' : errors.content}
      />
      <Switch
        label="Not for AI"
        help="Models never see this card, and no provider embeds it."
        checked={!values.aiVisible}
        onCheckedChange={(hidden) => set({ aiVisible: !hidden })}
      />
    </EntityFormDialog>
  )
}
