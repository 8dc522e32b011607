import { Eye, History, MoreHorizontal, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { FoundCard, MemoryCard } from '#contract/keepers/memory-cards.ts'
import { ApiError } from '#web/api.ts'
import { HistoryDialog } from '#web/offline/history-dialog.tsx'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { showToast } from '#web/ui/show-toast.tsx'
import { useMemoryApproval } from '../memory-checks/use-memory-approval.tsx'
import { ReadBy } from '../reads/read-by.tsx'
import { CardForm } from './card-form.tsx'
import { useCards, useLookAgain, useWithWaiting } from './card-queries.ts'
import { CardView } from './card-view.tsx'

interface CardItemProps {
  card: MemoryCard
  found?: FoundCard | undefined
  expanded: boolean
  onExpandedChange: (expanded: boolean) => void
  marked?: boolean
  headingLevel?: 'h2' | 'h3'
}

export function CardItem({ card: given, ...shown }: CardItemProps) {
  const { backend, keeper, demo } = useCards()
  const approval = useMemoryApproval(keeper.id, { demo })
  const lookAgain = useLookAgain()
  const [editing, setEditing] = useState(false)
  const [asksWhoRead, setAsksWhoRead] = useState(false)
  const [approving, setApproving] = useState(false)
  const [looksBack, setLooksBack] = useState(false)
  const { card, waits } = useWithWaiting()(given)
  const called = card.topic ?? 'without a topic'

  async function change(changes: Parameters<typeof backend.update>[1], done: string) {
    try {
      const { state } = await backend.update(card.id, changes, card.rev)
      void showToast(state === 'sent' ? done : 'Memory card: waiting to be sent. It is safe in this browser.')
      await lookAgain()
    } catch (reason) {
      void showToast(failureOf(reason, 'Failed to update memory card'))
    }
  }

  async function approve() {
    setApproving(true)
    const given = await approval.ask({ entity: 'card', entityId: card.id })
    if (given) {
      const { goldenCheck, note } = given
      const done = 'Approved: it’s part of your memory now'
      await change({ state: 'active', ...(goldenCheck && { goldenCheck }) }, note ? `${done}. ${note}` : done)
    }
    setApproving(false)
  }

  /** @throws ApiError when the server refuses */
  async function bringBack(words: Record<string, unknown>) {
    const { state } = await backend.update(card.id, words, card.rev)
    if (state === 'kept') void showToast('Memory card: waiting to be sent. It is safe in this browser.')
    await lookAgain()
  }

  async function remove() {
    try {
      await backend.remove(card.id, lookAgain)
      await lookAgain()
    } catch (reason) {
      void showToast(failureOf(reason, 'Failed to delete memory card'))
    }
  }

  return (
    <>
      <CardView
        {...shown}
        card={card}
        waits={waits}
        actions={
          <>
            {card.state === 'draft' && (
              <Button size="small" busy={approving} onClick={approve}>
                Approve
              </Button>
            )}
            <Menu
              trigger={
                <IconButton size="small" label={`More for the card ${called}`}>
                  <MoreHorizontal aria-hidden size={15} />
                </IconButton>
              }
            >
              <MenuItem icon={<Pencil aria-hidden size={14} />} onSelect={() => setEditing(true)}>
                Edit
              </MenuItem>
              {!demo && (
                <>
                  <MenuItem icon={<History aria-hidden size={14} />} onSelect={() => setLooksBack(true)}>
                    Earlier versions
                  </MenuItem>
                  <MenuItem icon={<Eye aria-hidden size={14} />} onSelect={() => setAsksWhoRead(true)}>
                    Read by
                  </MenuItem>
                </>
              )}
              <MenuChoice
                checked={!card.aiVisible}
                onCheckedChange={(hidden) =>
                  change({ aiVisible: !hidden }, hidden ? 'Hidden from all models' : 'Visible to models')
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
        onRestore={bringBack}
        onOpenChange={setLooksBack}
        open={looksBack}
      />
      <ReadBy entity="card" id={card.id} open={asksWhoRead} onClose={() => setAsksWhoRead(false)} />
      {approval.dialog}
      {editing && <CardForm card={card} onClose={() => setEditing(false)} />}
    </>
  )
}

function failureOf(reason: unknown, title: string): string {
  return reason instanceof ApiError && reason.told ? `${title}. ${reason.told}` : title
}
