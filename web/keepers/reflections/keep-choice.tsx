import { Bookmark } from 'lucide-react'
import { useState } from 'react'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { ApiError } from '#web/api.ts'
import { conflictOf } from '#web/offline/conflict-dialog.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { showToast } from '#web/ui/show-toast.tsx'
import { useMemoryApproval } from '../memory-checks/use-memory-approval.tsx'
import { useJournal } from './journal-context.ts'
import { logged, useJournalChanged } from './journal-queries.ts'
import { UnsavedChange, useUnsavedChange } from './unsaved-change.tsx'
import { useWaitingWrites } from './waiting-writes.ts'

interface KeepChoiceProps {
  reflection: Reflection
  /** Called before queries refetch, so that the ribbon animation can run. */
  onKept: () => void
  /** Offers to let a suggested reflection rest. */
  mayRest?: boolean
}

/** Keeping a reflection as a memory card, or letting it rest, is always a person's decision. */
export function KeepChoice({ reflection, onKept, mayRest = false }: KeepChoiceProps) {
  const { backend, keeper, demo } = useJournal()
  const { ask, dialog } = useMemoryApproval(keeper.id, { demo })
  const changed = useJournalChanged()
  const [busy, setBusy] = useState<'keep' | 'rest'>()
  const [told, setTold] = useState('')
  const waits = useWaitingWrites().has(reflection.id)
  const { ready, unsaved } = useUnsavedChange(reflection)

  async function keep() {
    setBusy('keep')
    setTold('')
    try {
      const approval = await ask({ entity: 'reflection', entityId: reflection.id })
      if (!approval) return
      await logged('Failed to promote reflection', backend.promote(reflection, approval.goldenCheck))
      if (approval.note) void showToast(`Kept as a memory card. ${approval.note}`)
      onKept()
      await changed()
    } catch (error) {
      setTold(
        conflictOf(error)
          ? 'This reflection was changed elsewhere. Read it again, then keep it.'
          : hasChangedAnswers(error)
            ? 'It changes the answers to golden questions, so it wasn’t kept. Press Keep to compare the answers.'
            : 'It couldn’t be kept. Your reflection is unchanged.',
      )
      if (conflictOf(error)) await changed()
    } finally {
      setBusy(undefined)
    }
  }

  async function letRest(rest: boolean) {
    setBusy('rest')
    setTold('')
    try {
      await logged('Failed to let a reflection rest', backend.rest(reflection.id, rest))
      if (rest) void showToast('Resting. You can keep it any time.', { onUndo: () => letRest(false) })
      await changed()
    } catch {
      setTold('The server couldn’t be reached. Your reflection is unchanged.')
    } finally {
      setBusy(undefined)
    }
  }

  // The server would keep the text before the queued change.
  if (waits) return <Badge tone="info">Waiting to be sent</Badge>
  if (unsaved) return <UnsavedChange reflection={reflection} />
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        variant="keep"
        size="small"
        icon={<Bookmark aria-hidden size={14} />}
        busy={busy === 'keep'}
        disabled={!ready || busy === 'rest'}
        onClick={keep}
      >
        Keep
      </Button>
      {mayRest && (
        <Button
          variant="plain"
          size="small"
          busy={busy === 'rest'}
          disabled={busy === 'keep'}
          onClick={() => letRest(true)}
        >
          Let it rest
        </Button>
      )}
      <span role="status" className="text-small text-muted-foreground empty:hidden">
        {told}
      </span>
      {dialog}
    </div>
  )
}

function hasChangedAnswers(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'answers-changed'
}
