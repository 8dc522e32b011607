import { Eye, History, MoreHorizontal, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { CardSearchResult, MemoryCard } from '#contract/keepers/memory-cards.ts'
import { ApiError } from '#web/api/api.ts'
import { HistoryDialog } from '#web/offline/history-dialog.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { useMemoryApproval } from '../memory-checks/use-memory-approval.tsx'
import { ReadBy } from '../reads/read-by.tsx'
import { CardForm } from './card-form.tsx'
import { useApplyPendingWrites, useCards, useRefreshCards } from './card-queries.ts'
import { CardView } from './card-view.tsx'

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
