import { Eye, History, MoreHorizontal, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { CardSearchResult, MemoryCard } from '#contract/keepers/memory-cards.ts'
import { ApiError } from '#web/api/api.ts'
import { EntityFormDialog } from '#web/offline/entity-form.tsx'
import { getChanges } from '#web/offline/form-draft.ts'
import { HistoryDialog } from '#web/offline/history-dialog.tsx'
import { useEntityForm } from '#web/offline/use-entity-form.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Switch } from '#web/ui/controls/switch.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { useMemoryApproval } from '../memory-checks/use-memory-approval.tsx'
import { ReadBy } from '../reads/read-by.tsx'
import { useApplyPendingWrites, useCardStatus, useCards, useRefreshCards } from './card-queries.ts'
import { CardView } from './card-view.tsx'
import type { CardChanges } from './cards-backend.ts'

const toCardValues = ({ content, topic, aiVisible }: MemoryCard) => ({ content, topic: topic ?? '', aiVisible })
type CardValues = ReturnType<typeof toCardValues>

function CardForm({ card, onClose }: { card: MemoryCard; onClose: () => void }) {
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

interface CardItemProps {
  card: MemoryCard
  match?: CardSearchResult | undefined
  expanded: boolean
  onExpandedChange: (expanded: boolean) => void
  isHighlighted?: boolean
  headingLevel?: 'h2' | 'h3'
}

export function CardItem({ card: savedCard, ...viewProps }: CardItemProps) {
  const { backend, keeper, demo } = useCards()
  const approval = useMemoryApproval(keeper.id, { demo })
  const refresh = useRefreshCards()
  const [editing, setEditing] = useState(false)
  const [isReadByOpen, setReadByOpen] = useState(false)
  const [approving, setApproving] = useState(false)
  const [isHistoryOpen, setHistoryOpen] = useState(false)
  const { card, isQueued } = useApplyPendingWrites()(savedCard)
  const cardName = card.topic ?? 'without a topic'

  async function updateCard(changes: Parameters<typeof backend.update>[1], successMessage: string) {
    try {
      const { state } = await backend.update(card.id, changes, card.rev)
      void showToast(state === 'sent' ? successMessage : 'Memory card: waiting to be sent. It’s safe in this browser.')
      await refresh()
    } catch (reason) {
      void showToast(formatFailure(reason, 'Failed to update memory card'))
    }
  }

  async function approve() {
    setApproving(true)
    const consent = await approval.requestApproval({ entity: 'card', entityId: card.id })
    if (consent) {
      const { goldenCheck, note } = consent
      const successMessage = 'Approved. This card is part of your memory now'
      await updateCard(
        { state: 'active', ...(goldenCheck && { goldenCheck }) },
        note ? `${successMessage}. ${note}` : successMessage,
      )
    }
    setApproving(false)
  }

  /** @throws ApiError when the server refuses */
  async function restoreVersion(fields: Record<string, unknown>) {
    const { state } = await backend.update(card.id, fields, card.rev)
    if (state === 'queued') void showToast('Memory card: waiting to be sent. It’s safe in this browser.')
    await refresh()
  }

  async function remove() {
    try {
      await backend.remove(card.id, refresh)
      await refresh()
    } catch (reason) {
      void showToast(formatFailure(reason, 'Failed to delete memory card'))
    }
  }

  return (
    <>
      <CardView
        {...viewProps}
        card={card}
        isQueued={isQueued}
        actions={
          <>
            {card.state === 'draft' && (
              <Button size="small" busy={approving} onClick={approve}>
                Approve
              </Button>
            )}
            <Menu
              trigger={
                <IconButton size="small" label={`More for the card ${cardName}`}>
                  <MoreHorizontal aria-hidden size={15} />
                </IconButton>
              }
            >
              <MenuItem icon={<Pencil aria-hidden size={14} />} onSelect={() => setEditing(true)}>
                Edit
              </MenuItem>
              {!demo && (
                <>
                  <MenuItem icon={<History aria-hidden size={14} />} onSelect={() => setHistoryOpen(true)}>
                    Earlier versions
                  </MenuItem>
                  <MenuItem icon={<Eye aria-hidden size={14} />} onSelect={() => setReadByOpen(true)}>
                    Read by
                  </MenuItem>
                </>
              )}
              <MenuChoice
                checked={!card.aiVisible}
                onCheckedChange={(hidden) =>
                  updateCard({ aiVisible: !hidden }, hidden ? 'Hidden from all models' : 'Visible to models')
                }
              >
                Not for AI
              </MenuChoice>
              <MenuSeparator />
              <MenuItem danger icon={<Trash2 aria-hidden size={14} />} onSelect={remove}>
                Delete
              </MenuItem>
            </Menu>
          </>
        }
      />
      <HistoryDialog
        entity="card"
        id={card.id}
        current={{ ...card }}
        fields={['topic', 'content']}
        onRestore={restoreVersion}
        onOpenChange={setHistoryOpen}
        open={isHistoryOpen}
      />
      <ReadBy entity="card" id={card.id} open={isReadByOpen} onClose={() => setReadByOpen(false)} />
      {approval.dialog}
      {editing && <CardForm card={card} onClose={() => setEditing(false)} />}
    </>
  )
}

function formatFailure(reason: unknown, title: string): string {
  return reason instanceof ApiError && reason.serverMessage ? `${title}. ${reason.serverMessage}` : title
}
