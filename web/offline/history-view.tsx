import { useState } from 'react'
import { entries } from '#contract/keepers/entries.ts'
import { callEnvelope } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { DifferingText } from './differing-text.tsx'
import type { HistoryDialogProps } from './history-dialog.tsx'
import { useEarlierStates } from './history-dialog.tsx'
import { getWriteText } from './pending-write.ts'

export function HistoryView(props: HistoryDialogProps) {
  const { entity, id, current, fields, onRestore, onOpenChange } = props
  const [restoringRev, setRestoringRev] = useState<number>()
  const [failure, setFailure] = useState<string>()
  const loadFromServer: typeof props.load = (cursor, signal) =>
    callEnvelope(entries.history, { params: { entity, id }, query: { ...(cursor && { cursor }) }, signal })
  const earlierStates = useEarlierStates(['keeper', 'history', entity, id], props.load ?? loadFromServer)
  const { states, error, isPending, refetch, isRefetching } = earlierStates
  const getText = props.getText ?? ((state) => (fields ? joinFields(state, fields) : getWriteText(state)))
  const currentText = getText(current)

  async function restore(rev: number, snapshot: Record<string, unknown>) {
    setRestoringRev(rev)
    setFailure(undefined)
    try {
      await onRestore?.(fields ? pickFields(snapshot, fields) : snapshot)
      onOpenChange(false)
    } catch (reason) {
      setFailure(reason instanceof Error ? reason.message : String(reason))
    } finally {
      setRestoringRev(undefined)
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => restoringRev === undefined && onOpenChange(open)}
      size="large"
      title="Earlier versions"
      description="Highlighted text isn’t in the current version. When you restore a version, the current one is kept here."
    >
      {failure && (
        <Banner tone="error" className="mb-3">
          {failure}
        </Banner>
      )}
      {isPending && <Skeleton className="h-32" />}
      {error && !states && (
        <ErrorPanel reason={error} title={error.message} onRetry={() => refetch()} retrying={isRefetching}>
          Nothing you wrote is affected.
        </ErrorPanel>
      )}
      {states?.length === 0 && <p className="text-ui">No changes yet.</p>}
      <ol className="flex flex-col gap-3">
        {states?.map(({ rev, savedAt, snapshot }) => (
          <li key={`${rev} ${savedAt}`} className="rounded-lg border border-border bg-card p-3.5">
            <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
              <p className="text-small text-muted-foreground">
                Until <Time value={savedAt} timeStyle="date-time" />
              </p>
              {onRestore && (
                <Button
                  size="small"
                  busy={restoringRev === rev}
                  disabled={restoringRev !== undefined || (fields && getText(snapshot) === '')}
                  onClick={() => restore(rev, snapshot)}
                >
                  Restore this version
                </Button>
              )}
            </div>
            <div className="max-h-72 overflow-y-auto">
              <DifferingText text={getText(snapshot)} other={currentText} kind="added" />
            </div>
          </li>
        ))}
      </ol>
      <OlderStates {...earlierStates} className="mt-3" />
    </Dialog>
  )
}

function pickFields(state: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.filter((field) => field in state).map((field) => [field, state[field]]))
}

function joinFields(state: Record<string, unknown>, fields: readonly string[]): string {
  const texts = Object.values(pickFields(state, fields)).map((value) =>
    Array.isArray(value) ? value.join(', ') : String(value ?? ''),
  )
  return texts.filter((text) => text.trim() !== '').join('\n\n')
}

interface OlderStatesProps {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage(): Promise<unknown>
  isFetchNextPageError: boolean
  className?: string
}

function OlderStates({
  hasNextPage,
  isFetchingNextPage,
  fetchNextPage,
  isFetchNextPageError,
  className,
}: OlderStatesProps) {
  if (!hasNextPage) return null
  return (
    <div className={className}>
      {isFetchNextPageError && (
        <p role="alert" className="mb-1.5 text-ui text-destructive">
          The older versions couldn’t be loaded. Try again.
        </p>
      )}
      <Button size="small" busy={isFetchingNextPage} busyLabel="Loading..." onClick={() => fetchNextPage()}>
        Show older versions
      </Button>
    </div>
  )
}
