import { useState } from 'react'
import { type VoiceEntry, voice } from '#contract/keepers/voice.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ReadOnlyWhile } from '#web/ui/fields/read-only-while.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { WriteError } from '#web/ui/panels/write-error.tsx'
import { Time } from '#web/ui/text/time.tsx'
import type { EntryList } from '../entries/use-entry-list.ts'

/** Asks whether a belief still holds, and lists dated answers. */
export function StillTrue({ entry, entryList }: { entry: VoiceEntry; entryList: EntryList<VoiceEntry> }) {
  const [isAsking, setIsAsking] = useState(false)
  // The stored key makes a retry after a lost response idempotent.
  const draft = useDraft(`voice/${entry.id}/still-true`, { note: '', key: '' })
  const { note } = draft.value
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ answer: boolean; serverMessage: string | undefined }>()

  function getAnswerKey(answer: boolean) {
    const key = draft.value.key || createClientId()
    if (key !== draft.value.key) draft.set({ note, key })
    return `${key}-${answer}`
  }
  async function submitAnswer(answer: boolean) {
    setBusy(true)
    setFailure(undefined)
    try {
      const body = { answer, note: note.trim() || null }
      const idempotencyKey = getAnswerKey(answer)
      await entryList.put(await call(voice.stillTrue, { params: { id: entry.id }, body: body, idempotencyKey }))
      setIsAsking(false)
      draft.clear()
    } catch (reason) {
      setFailure({ answer, serverMessage: getServerMessage(reason) })
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="flex flex-col gap-2">
      {entry.stillTrue.length > 0 && (
        <ol aria-label={`Answers to ${entry.label}`} className="flex flex-col gap-1 border-s-2 border-border ps-3">
          <li className="text-small text-muted-foreground">
            <Time value={entry.createdAt} /> written
          </li>
          {entry.stillTrue.map(({ answer, note: answerNote, at }) => (
            <li key={at} className="flex flex-wrap items-baseline gap-x-2 text-small">
              <Time value={at} className="text-muted-foreground" />
              <Badge tone={answer ? 'success' : 'warning'}>{answer ? 'Still true' : 'No longer true'}</Badge>
              {answerNote && <span className="font-serif">{answerNote}</span>}
            </li>
          ))}
        </ol>
      )}
      {failure && (
        <WriteError
          title="Failed to update voice entry"
          serverMessage={failure.serverMessage}
          onRetry={() => submitAnswer(failure.answer)}
        />
      )}
      {isAsking ? (
        <fieldset aria-label={`Is ${entry.label} still true?`} className="flex flex-wrap items-end gap-2">
          <ReadOnlyWhile while={busy}>
            <TextField
              label="In a few words (optional)"
              autoFocus
              maxLength={2000}
              value={note}
              onChange={(event) => draft.set({ note: event.currentTarget.value, key: createClientId() })}
              className="min-w-48 flex-1"
            />
          </ReadOnlyWhile>
          <Button size="small" disabled={busy} onClick={() => submitAnswer(true)}>
            Yes, still true
          </Button>
          <Button size="small" disabled={busy} onClick={() => submitAnswer(false)}>
            No longer
          </Button>
          <Button size="small" variant="plain" onClick={() => setIsAsking(false)}>
            Cancel
          </Button>
        </fieldset>
      ) : (
        <div data-chrome>
          <Button size="small" variant="plain" className="-ms-2.5" onClick={() => setIsAsking(true)}>
            Still true?
          </Button>
        </div>
      )}
    </div>
  )
}
