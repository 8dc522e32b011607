import { useState } from 'react'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { conflictOf } from '#web/offline/conflict-dialog.tsx'
import { OlderStates } from '#web/offline/older-states.tsx'
import type { EarlierState } from '#web/offline/use-earlier-states.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Time } from '#web/ui/time.tsx'
import type { Writing } from './journal-backend.ts'
import { useJournal } from './journal-context.ts'
import { logged, useHistory, useJournalChanged } from './journal-queries.ts'

type Words = Pick<Writing, 'topic' | 'content'>

interface ReflectionHistoryProps {
  reflection: Reflection
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Earlier versions, newest first; restoring one makes the current text part of the history. */
export function ReflectionHistory({ reflection, open, onOpenChange }: ReflectionHistoryProps) {
  const { backend } = useJournal()
  const changed = useJournalChanged()
  const found = useHistory(reflection.id, open)
  const { error, isPending, refetch, isRefetching } = found
  const [busy, setBusy] = useState<number>()
  const [told, setTold] = useState('')
  const states = found.states?.map((state) => ({ ...state, words: wordsOf(state) }))

  // Restores the text only; AI visibility stays as it is.
  async function restore(rev: number, words: Words) {
    setBusy(rev)
    setTold('')
    try {
      const sent = await logged('Failed to update reflection', backend.update(reflection.id, words, reflection.rev))
      setTold(sent.state === 'kept' ? 'Saved in this browser. It will be sent when the server can be reached.' : '')
      await changed()
      if (sent.state === 'sent') onOpenChange(false)
    } catch (error) {
      setTold(
        conflictOf(error)
          ? 'This reflection was saved elsewhere in the meantime. Look at it again, then restore.'
          : 'It couldn’t be restored. Nothing was changed.',
      )
      await changed()
    } finally {
      setBusy(undefined)
    }
  }

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="large"
      title="Earlier versions"
      description="Changes made in one sitting are one version."
    >
      <p role="status" className="text-ui text-muted-foreground empty:hidden">
        {told}
      </p>
      {isPending && (
        <SkeletonGroup>
          <Skeleton className="h-32" />
        </SkeletonGroup>
      )}
      {!isPending && !states && (
        <ErrorPanel
          reason={error}
          title="The history could not be loaded"
          onRetry={() => refetch()}
          retrying={isRefetching}
        >
          Nothing you wrote is affected.
        </ErrorPanel>
      )}
      {states?.length === 0 && <p className="text-ui text-muted-foreground">No earlier versions.</p>}
      <ol className="flex flex-col gap-5">
        {states?.map(({ rev, savedAt, words }) => (
          <li key={`${rev} ${savedAt}`} className="border-s-2 border-border ps-4">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
              <h3 className="font-sans text-small font-semibold tracking-normal">
                Until <Time value={savedAt} as="date-time" />
                {words.topic && ` · ${words.topic}`}
              </h3>
              {!reflection.promotedToMemoryCard && (
                <Button size="small" busy={busy === rev} onClick={() => restore(rev, words)}>
                  Restore
                </Button>
              )}
            </div>
            <p className="mt-1.5 max-h-64 overflow-y-auto font-serif text-lead wrap-break-word whitespace-pre-wrap">
              {words.content}
            </p>
          </li>
        ))}
      </ol>
      <OlderStates {...found} className="mt-5" />
    </Dialog>
  )
}

function wordsOf({ snapshot }: EarlierState): Words {
  const { topic, content } = snapshot
  return {
    topic: typeof topic === 'string' ? topic : '',
    content: typeof content === 'string' ? content : '',
  }
}
