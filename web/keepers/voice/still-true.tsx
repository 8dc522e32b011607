import { useState } from 'react'
import { type VoiceEntry, voice } from '#contract/keepers/voice.ts'
import { ApiError, call } from '#web/api.ts'
import { newClientId } from '#web/offline/new-client-id.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { Time } from '#web/ui/time.tsx'
import { WriteError } from '../rooms/room-parts.tsx'
import type { OpenRoom } from '../rooms/use-room.ts'

/** Asks whether a belief still holds, and lists dated answers. */
export function StillTrue({ entry, open }: { entry: VoiceEntry; open: OpenRoom<VoiceEntry> }) {
  const [asks, setAsks] = useState(false)
  // The stored key makes a retry after a lost response idempotent.
  const draft = useDraft(`voice/${entry.id}/still-true`, { note: '', key: '' })
  const { note } = draft.value
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<{ answer: boolean; told: string | undefined }>()

  function keyOf(answer: boolean) {
    const key = draft.value.key || newClientId()
    if (key !== draft.value.key) draft.set({ note, key })
    return `${key}-${answer}`
  }
  async function say(answer: boolean) {
    setBusy(true)
    setFailed(undefined)
    try {
      const said = { answer, note: note.trim() || null }
      const idempotencyKey = keyOf(answer)
      const at = new Date().toISOString()
      await open.put(
        open.demo
          ? { ...entry, stillTrue: [...entry.stillTrue, { ...said, at }] }
          : await call(voice.stillTrue, { params: { id: entry.id }, body: said, idempotencyKey }),
      )
      setAsks(false)
      draft.clear()
    } catch (reason) {
      setFailed({ answer, told: reason instanceof ApiError ? reason.told : undefined })
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
          {entry.stillTrue.map(({ answer, note: said, at }) => (
            <li key={at} className="flex flex-wrap items-baseline gap-x-2 text-small">
              <Time value={at} className="text-muted-foreground" />
              <Badge tone={answer ? 'success' : 'warning'}>{answer ? 'Still true' : 'No longer true'}</Badge>
              {said && <span className="font-serif">{said}</span>}
            </li>
          ))}
        </ol>
      )}
      {failed && (
        <WriteError title="Failed to update voice entry" told={failed.told} onRetry={() => say(failed.answer)} />
      )}
      {asks ? (
        <fieldset aria-label={`Is ${entry.label} still true?`} className="flex flex-wrap items-end gap-2">
          <ReadOnlyWhile while={busy}>
            <TextField
              label="In a few words, if you like"
              autoFocus
              maxLength={2000}
              value={note}
              onChange={(event) => draft.set({ note: event.currentTarget.value, key: newClientId() })}
              className="min-w-48 flex-1"
            />
          </ReadOnlyWhile>
          <Button size="small" disabled={busy} onClick={() => say(true)}>
            Yes, still true
          </Button>
          <Button size="small" disabled={busy} onClick={() => say(false)}>
            No longer
          </Button>
          <Button size="small" variant="plain" onClick={() => setAsks(false)}>
            Cancel
          </Button>
        </fieldset>
      ) : (
        <div data-chrome>
          <Button size="small" variant="plain" className="-ms-2.5" onClick={() => setAsks(true)}>
            Still true?
          </Button>
        </div>
      )}
    </div>
  )
}
