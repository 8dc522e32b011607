import { useState } from 'react'
import { Link } from 'react-router'
import { createClientId, getDraftId } from '#web/offline/create-client-id.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { useWriteStatus } from '#web/offline/use-write-status.ts'
import { formatTime } from '#web/ui/format-time.ts'
import { DateGutter } from './date-gutter.tsx'
import { getReadingPath } from './journal-addresses.ts'
import type { ReflectionWriting } from './journal-backend.ts'
import { useJournal } from './journal-context.ts'
import { JournalMargin } from './journal-margin.tsx'
import { getRejectionMessage, useInvalidateJournal, withErrorLog } from './journal-queries.ts'
import { PrintedReflection } from './printed-reflection.tsx'
import { WritingFrame } from './writing-frame.tsx'
import { WritingSheet } from './writing-sheet.tsx'

/** `id` is chosen before the first save, so that a retry can't create a second reflection. */
type NewDraft = ReflectionWriting & { id: string }
const blankDraft: NewDraft = { id: '', topic: '', content: '', aiVisible: true }

type NewReflectionOutcome =
  | { kind: 'saved'; id: string; at: Date }
  | { kind: 'queued'; id: string }
  | { kind: 'failed'; reason?: string | undefined }

export function NewReflection() {
  const { keeper, backend } = useJournal()
  const invalidateJournal = useInvalidateJournal()
  const draft = useDraft<NewDraft>(`reflection/new/${keeper.id}`, blankDraft)
  const [saving, setSaving] = useState(false)
  const [outcome, setOutcome] = useState<NewReflectionOutcome>()
  const { value } = draft
  const hasContent = value.content.trim() !== '' || value.topic.trim() !== ''

  function change(writing: ReflectionWriting) {
    draft.set({ ...writing, id: getDraftId(draft) })
    if (outcome) setOutcome(undefined)
  }

  async function save() {
    if (saving) return
    setSaving(true)
    setOutcome(undefined)
    const { topic, content, aiVisible } = value
    const writing = { topic: topic.trim(), content, aiVisible, id: value.id || createClientId() }
    try {
      const sendResult = await withErrorLog('Failed to create reflection', backend.create(writing))
      await draft.release()
      if (sendResult.state === 'queued') {
        setOutcome({ kind: 'queued', id: writing.id })
      } else {
        setOutcome({ kind: 'saved', id: sendResult.answer.id, at: new Date() })
        await invalidateJournal()
      }
    } catch (error) {
      setOutcome({ kind: 'failed', reason: getRejectionMessage(error) })
    } finally {
      setSaving(false)
    }
  }

  return (
    <WritingFrame gutter={<DateGutter />} margin={<JournalMargin topic={value.topic.trim()} />}>
      <WritingSheet
        writing={value}
        onChange={change}
        readOnly={!draft.ready || saving}
        status={<SaveOutcome outcome={outcome} hasContent={hasContent} restored={draft.restored} />}
        onSave={save}
        saving={saving}
        saveLabel="Save reflection"
      />
      {value.content && <PrintedReflection writing={value} at={new Date().toISOString()} verbatim />}
    </WritingFrame>
  )
}

function SaveOutcome({
  outcome,
  hasContent,
  restored,
}: {
  outcome?: NewReflectionOutcome | undefined
  hasContent: boolean
  restored: boolean
}) {
  if (outcome?.kind === 'saved') {
    return (
      <>
        Saved {formatTime(outcome.at, 'time')}. <ReadLink id={outcome.id} />
      </>
    )
  }
  if (outcome?.kind === 'queued') return <QueuedStatus id={outcome.id} />
  if (outcome?.kind === 'failed') return `Not saved. ${outcome.reason ?? ''} Your text is safe in this browser.`
  if (!hasContent) return null
  return restored ? 'Draft restored' : 'Draft saved on this device'
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
