import { useMutation } from '@tanstack/react-query'
import { Bookmark } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { type Reflection, reflections } from '#contract/keepers/reflections.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { ApiError, call } from '#web/api/api.ts'
import { getConflict } from '#web/offline/conflict-dialog.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { QueuedBadge } from '../entries/entry-parts.tsx'
import { useMemoryApproval } from '../memory-checks/use-memory-approval.tsx'
import { useInvalidateJournal, useQueuedWrites, withErrorLog } from './journal-queries.ts'
import { UnsavedChange, useUnsavedChange } from './reflection-parts.tsx'

export type KeepAction = 'keep' | 'rest'

/** Splits suggestions into undecided ones and those just kept, which stay visible until the person leaves the page. */
export function useKeptSuggestions(suggestions: readonly Reflection[]) {
  const [kept, setKept] = useState<readonly Reflection[]>([])
  const savedIds = new Set(kept.map(({ id }) => id))
  return {
    kept,
    undecided: suggestions.filter(({ id }) => !savedIds.has(id)),
    addKept: (reflection: Reflection) => setKept((previous) => [...previous, reflection]),
  }
}

interface KeepChoiceProps {
  reflection: Reflection
  /** Called before queries refetch, so that the ribbon animation can run. */
  onKept: () => void
  /** Offers to let a suggested reflection rest. */
  canRest?: boolean
  /** Runs after a countdown, or on leaving. */
  countdown?: { action: KeepAction; onEnd: () => void; onUndo: () => void } | undefined
}

/** Keeping a reflection as a memory card, or letting it rest, is always a person's decision. */
export function KeepChoice({ reflection, onKept, canRest = false, countdown }: KeepChoiceProps) {
  const { id, keeperId, rev } = reflection
  const { requestApproval, dialog } = useMemoryApproval(keeperId, { isDemo: isDemoKeeper(keeperId) })
  const invalidateJournal = useInvalidateJournal()
  const isQueued = useQueuedWrites().has(reflection.id)
  const { ready, hasUnsavedChange } = useUnsavedChange(reflection)

  const keep = useMutation({
    async mutationFn() {
      const approval = await requestApproval({ entity: 'reflection', entityId: reflection.id })
      if (!approval) return
      const { goldenCheck } = approval
      const body = { ...(goldenCheck && { goldenCheck }) }
      await withErrorLog(
        'Failed to promote reflection',
        call(reflections.promote, { params: { id }, body, ifMatch: rev }),
      )
      if (approval.note) void showToast(`Kept as a memory card. ${approval.note}`)
      onKept()
      await invalidateJournal()
    },
    onError: async (error) => {
      if (getConflict(error)) await invalidateJournal()
    },
  })
  const rest = useMutation({
    async mutationFn(isResting: boolean) {
      await withErrorLog(
        'Failed to let a reflection rest',
        call(reflections.rest, { params: { id }, body: { rest: isResting } }),
      )
      if (isResting) void showToast('Resting. You can keep it any time.', { onUndo: () => rest.mutate(false) })
      await invalidateJournal()
    },
  })

  const run = useEffectEvent(() => {
    if (!countdown || !ready || isQueued || hasUnsavedChange) return
    if (countdown.action === 'keep') keep.mutate()
    else rest.mutate(true)
  })
  const endCountdown = useEffectEvent(() => {
    run()
    countdown?.onEnd()
  })
  const action = countdown?.action
  useEffect(() => {
    if (!action) return
    const timer = setTimeout(() => endCountdown(), countdownMs)
    return () => clearTimeout(timer)
  }, [action])
  useEffect(() => () => run(), [])

  // The server doesn't have the queued change yet, so it would keep the old text.
  if (isQueued) return <QueuedBadge />
  if (hasUnsavedChange) return <UnsavedChange reflection={reflection} />
  if (countdown) return <Countdown action={countdown.action} onUndo={countdown.onUndo} />
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        variant="keep"
        size="small"
        icon={<Bookmark aria-hidden size={14} />}
        busy={keep.isPending}
        disabled={!ready || rest.isPending}
        aria-keyshortcuts={canRest ? 'P' : undefined}
        onClick={() => {
          rest.reset()
          keep.mutate()
        }}
      >
        Keep
      </Button>
      {canRest && (
        <Button
          variant="plain"
          size="small"
          busy={rest.isPending}
          disabled={keep.isPending}
          aria-keyshortcuts="R"
          onClick={() => {
            keep.reset()
            rest.mutate(true)
          }}
        >
          Let it rest
        </Button>
      )}
      <span role="status" className="text-small text-muted-foreground empty:hidden">
        {keep.error && describeKeepError(keep.error)}
        {rest.error && 'The server couldn’t be reached. Your reflection is unchanged.'}
      </span>
      {dialog}
    </div>
  )
}

const countdownMs = 5_000

function Countdown({ action, onUndo }: { action: KeepAction; onUndo: () => void }) {
  const [seconds, setSeconds] = useState(countdownMs / 1_000)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((previous) => Math.max(1, previous - 1)), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-2 text-ui">
      <span className="tabular-nums">
        {action === 'keep' ? 'Keeping' : 'Letting it rest'}
        <span aria-hidden> in {seconds} s</span>
      </span>
      <Button size="small" variant="plain" aria-keyshortcuts="U" onClick={onUndo}>
        Undo
      </Button>
    </div>
  )
}

function describeKeepError(error: Error): string {
  if (getConflict(error)) return 'This reflection was changed elsewhere. Read it again, then keep it.'
  return error instanceof ApiError && error.code === 'answers-changed'
    ? 'This reflection changes the answers to golden questions, so it wasn’t kept. Press Keep to compare the answers.'
    : 'The reflection couldn’t be kept. Nothing was changed.'
}
