import { useState } from 'react'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { getConflict } from '#web/offline/conflict-dialog.tsx'
import { OlderStates } from '#web/offline/older-states.tsx'
import type { EarlierState } from '#web/offline/use-earlier-states.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Time } from '#web/ui/time.tsx'
import type { ReflectionWriting } from './journal-backend.ts'
import { useJournal } from './journal-context.ts'
import { useHistory, useInvalidateJournal, withErrorLog } from './journal-queries.ts'

type ReflectionText = Pick<ReflectionWriting, 'topic' | 'content'>

interface ReflectionHistoryProps {
  reflection: Reflection
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Earlier versions, newest first; restoring one makes the current text part of the history. */
export function ReflectionHistory({ reflection, open, onOpenChange }: ReflectionHistoryProps) {
  const { backend } = useJournal()
  const invalidateJournal = useInvalidateJournal()
  const historyQuery = useHistory(reflection.id, open)
  const { error, isPending, refetch, isRefetching } = historyQuery
  const [restoringRev, setRestoringRev] = useState<number>()
  const [statusText, setStatusText] = useState('')
  const earlierVersions = historyQuery.states?.map((state) => ({ ...state, text: toReflectionText(state) }))

  // Restores the text only; AI visibility stays as it is.
  async function restore(rev: number, text: ReflectionText) {
    setRestoringRev(rev)
    setStatusText('')
    try {
      const sendResult = await withErrorLog(
        'Failed to update reflection',
        backend.update(reflection.id, text, reflection.rev),
      )
      setStatusText(
        sendResult.state === 'queued' ? 'Saved in this browser. It will be sent when the server can be reached.' : '',
      )
      await invalidateJournal()
      if (sendResult.state === 'sent') onOpenChange(false)
    } catch (error) {
      setStatusText(
        getConflict(error)
          ? 'This reflection was saved elsewhere. Review the newer version, then restore.'
          : 'The version couldn’t be restored. Nothing was changed.',
      )
      await invalidateJournal()
    } finally {
      setRestoringRev(undefined)
    }
  }

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="large"
      title="Earlier versions"
      description="Changes made in one sitting count as one version."
    >
      <p role="status" className="text-ui text-muted-foreground empty:hidden">
        {statusText}
      </p>
      {isPending && (
        <SkeletonGroup>
          <Skeleton className="h-32" />
        </SkeletonGroup>
      )}
      {!isPending && !earlierVersions && (
        <ErrorPanel
          reason={error}
          title="Earlier versions couldn’t be loaded"
          onRetry={() => refetch()}
          retrying={isRefetching}
        >
          Nothing you wrote is affected.
        </ErrorPanel>
      )}
      {earlierVersions?.length === 0 && <p className="text-ui text-muted-foreground">No earlier versions.</p>}
      <ol className="flex flex-col gap-5">
        {earlierVersions?.map(({ rev, savedAt, text }) => (
          <li key={`${rev} ${savedAt}`} className="border-s-2 border-border ps-4">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
              <h3 className="font-sans text-small font-semibold tracking-normal">
                Until <Time value={savedAt} timeStyle="date-time" />
                {text.topic && ` · ${text.topic}`}
              </h3>
              {!reflection.promotedToMemoryCard && (
                <Button size="small" busy={restoringRev === rev} onClick={() => restore(rev, text)}>
                  Restore
                </Button>
              )}
            </div>
            <p className="mt-1.5 max-h-64 overflow-y-auto font-serif text-lead wrap-break-word whitespace-pre-wrap">
              {text.content}
            </p>
          </li>
        ))}
      </ol>
      <OlderStates {...historyQuery} className="mt-5" />
    </Dialog>
  )
}

function toReflectionText({ snapshot }: EarlierState): ReflectionText {
  const { topic, content } = snapshot
  return {
    topic: typeof topic === 'string' ? topic : '',
    content: typeof content === 'string' ? content : '',
  }
}
