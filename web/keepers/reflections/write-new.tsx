import { useState } from 'react'
import { Link } from 'react-router'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { type FormState, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { useWriteStatus } from '#web/offline/use-pending-writes.ts'
import { formatTime } from '#web/ui/text/format-time.ts'
import { DateGutter } from './date-gutter.tsx'
import { getReadingPath } from './journal-addresses.ts'
import type { ReflectionWriting } from './journal-backend.ts'
import { useJournal } from './journal-context.ts'
import { JournalMargin } from './journal-margin.tsx'
import { getRejectionMessage, useInvalidateJournal, withErrorLog } from './journal-queries.ts'
import { PrintedReflection } from './printed-reflection.tsx'
import { blankWriting, getReflectionDraftKey, toWriting } from './reflection-writing.ts'
import { WritingFrame } from './writing-frame.tsx'
import { WritingSheet } from './writing-sheet.tsx'

interface LastSave {
  id: string
  state: 'sent' | 'queued'
  at: Date
}

export function NewReflection() {
  const { keeper, backend } = useJournal()
  const invalidateJournal = useInvalidateJournal()
  const [lastSave, setLastSave] = useState<LastSave>()
  const form = useEntityForm<Reflection, ReflectionWriting>({
    draftKey: getReflectionDraftKey(`new/${keeper.id}`),
    subject: 'This reflection',
    entity: null,
    toValues: toWriting,
    blank: blankWriting,
    send: (_, { values, id }) =>
      withErrorLog('Failed to create reflection', backend.create({ ...values, topic: values.topic.trim(), id })),
    async onSaved(result, { id }) {
      if (!result) return
      setLastSave({ id, state: result.state, at: new Date() })
      if (result.state === 'sent') await invalidateJournal()
    },
  })
  const { values: writing, isSaving, isSaved } = form

  return (
    <WritingFrame gutter={<DateGutter />} margin={<JournalMargin topic={writing.topic.trim()} />}>
      <WritingSheet
        writing={writing}
        onChange={form.set}
        readOnly={!form.ready || isSaving}
        status={isSaved && lastSave ? <SaveOutcome {...lastSave} /> : getDraftStatus(form)}
        onSave={() => void form.save()}
        saving={isSaving}
        saveLabel="Save reflection"
      />
      {writing.content && <PrintedReflection writing={writing} at={new Date().toISOString()} verbatim />}
    </WritingFrame>
  )
}

function getDraftStatus({ failure, isDirty, restored }: FormState): string | null {
  if (failure) return `Not saved. ${getRejectionMessage(failure) ?? ''} Your text is safe in this browser.`
  if (!isDirty) return null
  return restored ? 'Draft restored' : 'Draft saved on this device'
}

function SaveOutcome({ id, state, at }: LastSave) {
  if (state === 'queued') return <QueuedStatus id={id} />
  return (
    <>
      Saved {formatTime(at, 'time')}. <ReadLink id={id} />
    </>
  )
}

/** Follows the queued write until it is sent or discarded. */
function QueuedStatus({ id }: { id: string }) {
  const { keeper } = useJournal()
  const writeStatus = useWriteStatus(keeper.id, id)
  switch (writeStatus) {
    case 'queued':
      return 'Saved in this browser. It will be sent when the server can be reached.'
    case 'discarded':
      return 'Discarded. Your reflection wasn’t sent.'
    case 'sent':
      return (
        <>
          Saved. <ReadLink id={id} />
        </>
      )
  }
}

function ReadLink({ id }: { id: string }) {
  return (
    <Link to={getReadingPath(id)} className="rounded-xs underline underline-offset-[3px]">
      Read reflection
    </Link>
  )
}
