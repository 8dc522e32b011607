import { useState } from 'react'
import type { MemoryCard } from '#contract/keepers/memory-cards.ts'
import { ApiError } from '#web/api.ts'
import { ConflictDialog, getConflict, saveOrResolveAgain } from '#web/offline/conflict-dialog.tsx'
import { useDraft } from '#web/offline/use-draft.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { onSendKey } from '#web/ui/on-send-key.ts'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { showToast } from '#web/ui/show-toast.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { WriteError } from '../entries/entry-parts.tsx'
import { useCardStatus, useCards, useRefreshCards } from './card-queries.ts'
import type { CardChanges } from './cards-backend.ts'

interface CardDraft {
  content: string
  topic: string
  aiVisible: boolean
  /** The revision this draft is based on, and its AI visibility then. */
  rev: number
  wasAiVisible: boolean
}

export function CardForm({ card, onClose }: { card: MemoryCard; onClose: () => void }) {
  const { backend, demo } = useCards()
  const { data: status } = useCardStatus()
  const refresh = useRefreshCards()
  const { content, topic, aiVisible, rev } = card
  const draft = useDraft<CardDraft>(`${demo ? 'sample-' : ''}card/${card.id}`, {
    content,
    topic: topic ?? '',
    aiVisible,
    rev,
    wasAiVisible: aiVisible,
  })
  const formValues = draft.value
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [conflict, setConflict] = useState<{ yours: MemoryCard; current: MemoryCard }>()
  const isEmpty = formValues.content.trim() === ''
  const changeValues = (changes: Partial<CardDraft>) => draft.set({ ...formValues, ...changes })

  // AI visibility is sent only if changed here: someone may have hidden the card in the meantime.
  const createChanges = (text: string, name: string): CardChanges => ({
    ...{ content: text, topic: name.trim() || null },
    ...(formValues.aiVisible !== formValues.wasAiVisible && { aiVisible: formValues.aiVisible }),
  })

  async function send(changes: CardChanges, baseRev: number) {
    const { state } = await backend.update(card.id, changes, baseRev)
    draft.clear()
    onClose()
    void showToast(
      state === 'sent' ? 'Memory card saved' : 'Memory card: waiting to be sent. It’s safe in this browser.',
    )
    await refresh()
  }

  async function save() {
    if (busy || isEmpty) return
    setBusy(true)
    setFailure(undefined)
    try {
      await send(createChanges(formValues.content, formValues.topic), formValues.rev)
    } catch (reason) {
      const conflictingVersions = getConflict<MemoryCard>(reason)
      if (conflictingVersions) setConflict(conflictingVersions)
      else setFailure(reason)
    } finally {
      setBusy(false)
    }
  }

  const apiError = failure instanceof ApiError ? failure : undefined
  if (conflict)
    return (
      <ConflictDialog
        open
        subject="This memory card"
        fields={[
          { name: 'content', label: 'Text', yours: conflict.yours.content, current: conflict.current.content },
          { name: 'topic', label: 'Topic', yours: conflict.yours.topic ?? '', current: conflict.current.topic ?? '' },
        ]}
        conflictKey={`${demo ? 'sample-' : ''}card/${card.id}`}
        onResolve={({ content: text = formValues.content, topic: name = formValues.topic }) =>
          saveOrResolveAgain<MemoryCard>(send(createChanges(text, name), conflict.current.rev), (current) =>
            setConflict({ ...conflict, current }),
          )
        }
        onOpenChange={(open) => !open && setConflict(undefined)}
      />
    )
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Edit memory card"
      description={draft.restored ? 'Draft restored.' : undefined}
      size="large"
      footer={
        <>
          <Button
            variant="plain"
            onClick={() => {
              draft.clear()
              onClose()
            }}
          >
            Cancel
          </Button>
          <Button variant="primary" busy={busy} busyLabel="Saving..." disabled={isEmpty} onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <form
        noValidate
        aria-label="Memory card"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
        onKeyDown={onSendKey(() => void save())}
      >
        <ReadOnlyWhile while={busy}>
          <TextField
            label="Topic"
            maxLength={80}
            list={`topics-${card.id}`}
            value={formValues.topic}
            onChange={(event) => changeValues({ topic: event.currentTarget.value })}
            error={apiError?.fields?.topic}
          />
          <datalist id={`topics-${card.id}`}>
            {status?.topics.map((option) => (
              <option key={option.topic} value={option.topic} />
            ))}
          </datalist>
          <TextArea
            label="Text"
            required
            serif
            rows={10}
            maxLength={500_000}
            value={formValues.content}
            onChange={(event) => changeValues({ content: event.currentTarget.value })}
            error={isEmpty ? 'Write something first.' : apiError?.fields?.content}
          />
          <Switch
            label="Not for AI"
            help="Models never see this card, and no provider embeds it."
            checked={!formValues.aiVisible}
            onCheckedChange={(hidden) => changeValues({ aiVisible: !hidden })}
          />
        </ReadOnlyWhile>
        {failure !== undefined && (
          <WriteError title="Failed to update memory card" serverMessage={apiError?.serverMessage} onRetry={save} />
        )}
      </form>
    </Dialog>
  )
}
