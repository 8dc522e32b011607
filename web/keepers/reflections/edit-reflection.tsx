import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { ConflictDialog } from '#web/offline/conflict-dialog.tsx'
import { useWriteStatus } from '#web/offline/use-pending-writes.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { formatTime } from '#web/ui/format-time.ts'
import { DateGutter } from './date-gutter.tsx'
import { getReadingPath, getTabPath } from './journal-addresses.ts'
import { useJournal } from './journal-context.ts'
import { JournalMargin } from './journal-margin.tsx'
import { PrintedReflection } from './printed-reflection.tsx'
import { SaveAsNewReflection } from './save-as-new-reflection.tsx'
import { type SaveState, useAutosave } from './use-autosave.ts'
import { WritingFrame } from './writing-frame.tsx'
import { WritingSheet } from './writing-sheet.tsx'

/** Edits a reflection with autosave. For a promoted one, offers to save leftover edits as a new reflection. */
export function EditReflection({ reflection }: { reflection: Reflection }) {
  const navigate = useNavigate()
  const { writing, ready, dirty, state, unsavable, change, save, resolve, discard } = useAutosave(reflection)
  const conflict = state.kind === 'conflict' ? state : undefined
  const [postponedConflict, setPostponedConflict] = useState<SaveState>()
  const isComparing = conflict !== undefined && conflict !== postponedConflict

  return (
    <WritingFrame
      gutter={<DateGutter at={reflection.createdAt} />}
      margin={<JournalMargin topic={writing.topic.trim()} excludedId={reflection.id} />}
    >
      <p data-chrome className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-ui text-muted-foreground">
        You’re editing your reflection from {formatTime(reflection.createdAt)}.
        <Link to={getTabPath('write')} className="rounded-xs underline underline-offset-[3px] hover:text-foreground">
          Write a new one
        </Link>
      </p>
      {unsavable && <SaveAsNewReflection {...unsavable} onSaved={discard} />}
      {conflict && !isComparing && (
        <Banner
          tone="warning"
          className="mb-3"
          action={
            <Button size="small" onClick={() => setPostponedConflict(undefined)}>
              Compare
            </Button>
          }
        >
          This reflection was saved elsewhere while you were editing. Your text is safe in this browser.
        </Banner>
      )}
      <WritingSheet
        writing={writing}
        onChange={change}
        readOnly={!ready || conflict !== undefined}
        status={<SaveStatus state={state} restored={dirty} id={reflection.id} />}
        onSave={save}
        saving={state.kind === 'saving'}
        saveLabel="Save"
      />
      <div className="mt-3 flex justify-end print:hidden">
        <Button size="small" variant="plain" onClick={() => navigate(getReadingPath(reflection.id))}>
          Done
        </Button>
      </div>
      <PrintedReflection writing={writing} at={reflection.createdAt} verbatim />
      {conflict && (
        <ConflictDialog
          open={isComparing}
          onOpenChange={(open) => setPostponedConflict(open ? undefined : conflict)}
          subject="This reflection"
          fields={[
            { name: 'topic', label: 'Topic', yours: conflict.yours.topic, current: conflict.current.topic ?? '' },
            { name: 'content', label: 'Text', yours: conflict.yours.content, current: conflict.current.content },
          ]}
          conflictKey={`reflection/${reflection.id}`}
          onResolve={(values) =>
            resolve(
              {
                topic: values.topic ?? conflict.yours.topic,
                content: values.content ?? conflict.yours.content,
                aiVisible: conflict.yours.aiVisible,
              },
              conflict.current,
            )
          }
        />
      )}
    </WritingFrame>
  )
}

const writeStatusTexts = {
  queued: 'Saved in this browser',
  sent: 'Saved',
  discarded: 'Not saved. The queued changes were discarded.',
}

function SaveStatus({ state, restored, id }: { state: SaveState; restored: boolean; id: string }) {
  const { keeper } = useJournal()
  const writeStatus = useWriteStatus(keeper.id, id)
  switch (state.kind) {
    case 'untouched':
      return restored ? 'Changes restored' : null
    case 'waiting':
      return 'Draft saved on this device'
    case 'saving':
      return 'Saving...'
    case 'saved':
      return `Saved ${formatTime(state.at, 'time')}`
    case 'queued':
      return writeStatusTexts[writeStatus]
    case 'locked':
    case 'gone':
      return 'Saved in this browser'
    case 'failed':
      return `Not saved. ${state.reason ?? ''} Your text is safe in this browser.`
    case 'empty':
      return 'Saves once you write something'
    case 'conflict':
      return 'Saved elsewhere while you were editing. Your text is safe in this browser.'
  }
}
