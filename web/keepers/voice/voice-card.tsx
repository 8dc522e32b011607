import { useMutation, useQuery } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { useState } from 'react'
import { type VoiceEntry, voice } from '#contract/keepers/voice.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { MutationError } from '#web/queries/mutation-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { ReadOnlyWhile } from '#web/ui/fields/read-only-while.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { WriteError } from '#web/ui/panels/write-error.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { isUpdated, voiceKind } from '../entries/entry-kinds.ts'
import { EntryActions, type EntryCardContext, QueuedBadge } from '../entries/entry-parts.tsx'
import type { EntryList } from '../entries/use-entry-list.ts'
import { keepersKey } from '../keeper-queries.ts'
import { Prose } from '../prose.tsx'
import { ReadByDialog } from '../reads/read-by.tsx'
import { RecordingPlayer } from './recorder-box.tsx'
import { strengthLabels } from './voice-form.tsx'

export function VoiceCard({ entry, entryList, onEdit }: EntryCardContext<VoiceEntry>) {
  const { label, belief, strength } = entry
  const isQueued = entryList.queuedIds.has(entry.id)
  const [isReadByOpen, setReadByOpen] = useState(false)
  return (
    <Card kind="index" className="flex h-full flex-col gap-3">
      <h2 dir="auto" className="border-b border-chart4 pb-2 font-serif text-lead wrap-anywhere">
        {label}
      </h2>
      <Prose text={belief} />
      {entry.audioId && (
        <>
          <RecordingPlayer audioId={entry.audioId} durationMs={entry.durationMs} />
          {!isQueued && <Transcript entry={entry} entryList={entryList} />}
        </>
      )}
      {!isQueued && <StillTrue entry={entry} entryList={entryList} />}
      <div className="mt-auto flex flex-wrap items-center gap-2">
        <Time value={entry.createdAt} className="text-small text-muted-foreground" />
        {isUpdated(entry) && <Badge tone="outlined">Updated</Badge>}
        {strength !== null && (
          <Badge>
            Strength {strength} · {strengthLabels[strength]}
          </Badge>
        )}
        {!entry.aiVisible && <Badge tone="outlined">Not for AI</Badge>}
        {isQueued && <QueuedBadge />}
        <span data-chrome className="ms-auto flex flex-wrap justify-end gap-1">
          {!isQueued && !entryList.isDemo && (
            <IconButton size="small" label={`Read by: ${label}`} onClick={() => setReadByOpen(true)}>
              <Eye aria-hidden size={14} />
            </IconButton>
          )}
          <EntryActions
            entry={entry}
            entryList={entryList}
            name={label}
            question="Delete this voice entry?"
            kind={voiceKind}
            onEdit={onEdit}
          />
        </span>
      </div>
      {isReadByOpen && <ReadByDialog entity="voice" id={entry.id} onClose={() => setReadByOpen(false)} />}
    </Card>
  )
}

/** The name of the transcription provider; `undefined` without a key. */
function useTranscriber(enabled: boolean): string | undefined {
  const { data } = useQuery({
    queryKey: [...keepersKey, 'transcription'],
    queryFn: ({ signal }) => call(voice.transcription, { signal }),
    enabled,
  })
  if (!data?.provider) return undefined
  return getProviderName(data.provider)
}

function Transcript({ entry, entryList }: { entry: VoiceEntry; entryList: EntryList<VoiceEntry> }) {
  const [isOpen, setIsOpen] = useState(false)
  const provider = useTranscriber(!entryList.isDemo)
  const { transcript, transcriptStatus: status } = entry

  const transcribe = useMutation({
    mutationFn: async () => entryList.put(await call(voice.transcribe, { params: { id: entry.id } })),
  })
  const errorMessage = transcribe.error
    ? (getServerMessage(transcribe.error) ?? 'The server couldn’t be reached.')
    : undefined
  const isOffered = provider !== undefined && entry.aiVisible && status !== 'queued' && transcript === null
  const failedText = status === 'failed' ? (entry.transcriptError ?? 'Transcription failed.') : undefined
  const problem = errorMessage ?? failedText
  return (
    <div className="flex flex-col items-start gap-2">
      {problem && (
        <WriteError
          title="The recording wasn’t transcribed"
          serverMessage={problem}
          onRetry={() => transcribe.mutate()}
        />
      )}
      {status === 'queued' && (
        <p role="status" className="text-small text-muted-foreground">
          Transcribing...
        </p>
      )}
      {isOffered && !problem && (
        <Button size="small" busy={transcribe.isPending} busyLabel="Requesting..." onClick={() => transcribe.mutate()}>
          Transcribe with {provider}
        </Button>
      )}
      {transcript !== null && (
        <>
          <Button size="small" variant="plain" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            Raw transcript
          </Button>
          {isOpen && (
            <blockquote className="border-s-2 border-border ps-3 font-serif text-body whitespace-pre-wrap text-muted-foreground">
              {transcript || 'No speech was detected.'}
            </blockquote>
          )}
        </>
      )}
    </div>
  )
}

/** Asks whether a belief still holds, and lists dated answers. */
function StillTrue({ entry, entryList }: { entry: VoiceEntry; entryList: EntryList<VoiceEntry> }) {
  const [isAsking, setIsAsking] = useState(false)
  // The stored key makes a retry after a lost response idempotent.
  const draft = useDraft(`voice/${entry.id}/still-true`, { note: '', key: '' })
  const { note } = draft.value
  function getAnswerKey(isStillTrue: boolean) {
    const key = draft.value.key || createClientId()
    if (key !== draft.value.key) draft.set({ note, key })
    return `${key}-${isStillTrue}`
  }
  const submit = useMutation({
    async mutationFn(isStillTrue: boolean) {
      const body = { answer: isStillTrue, note: note.trim() || null }
      const idempotencyKey = getAnswerKey(isStillTrue)
      await entryList.put(await call(voice.stillTrue, { params: { id: entry.id }, body, idempotencyKey }))
      setIsAsking(false)
      draft.clear()
    },
  })

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
      <MutationError title="Failed to update voice entry" mutation={submit} />
      {isAsking ? (
        <fieldset aria-label={`Is ${entry.label} still true?`} className="flex flex-wrap items-end gap-2">
          <ReadOnlyWhile while={submit.isPending}>
            <TextField
              label="In a few words (optional)"
              autoFocus
              maxLength={2000}
              value={note}
              onChange={(event) => draft.set({ note: event.currentTarget.value, key: createClientId() })}
              className="min-w-[min(12rem,100%)] flex-1"
            />
          </ReadOnlyWhile>
          <Button size="small" disabled={submit.isPending} onClick={() => submit.mutate(true)}>
            Yes, still true
          </Button>
          <Button size="small" disabled={submit.isPending} onClick={() => submit.mutate(false)}>
            No longer
          </Button>
          <Button size="small" variant="plain" onClick={() => setIsAsking(false)}>
            Cancel
          </Button>
        </fieldset>
      ) : (
        <div data-chrome>
          <Button size="small" onClick={() => setIsAsking(true)}>
            Still true?
          </Button>
        </div>
      )}
    </div>
  )
}
