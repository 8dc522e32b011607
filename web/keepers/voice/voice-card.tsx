import { useQuery } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { useState } from 'react'
import type { VoiceEntry } from '#contract/keepers/voice.ts'
import { voice } from '#contract/keepers/voice.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { WriteError } from '#web/ui/panels/write-error.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { WrittenText } from '#web/ui/text/written-text.tsx'
import { EntryActions, QueuedBadge } from '../entries/entry-parts.tsx'
import type { EntryList } from '../entries/use-entry-list.ts'
import { keepersKey } from '../keeper-queries.ts'
import { ReadBy } from '../reads/read-by.tsx'
import { RecordingPlayer } from './recorder-box.tsx'
import { StillTrue } from './still-true.tsx'
import { strengthLabels } from './voice-form.tsx'
import { isUpdated, voiceKind } from './voice-kind.ts'

interface VoiceCardProps {
  entry: VoiceEntry
  entryList: EntryList<VoiceEntry>
  onEdit: () => void
}

export function VoiceCard({ entry, entryList, onEdit }: VoiceCardProps) {
  const { label, belief, strength } = entry
  const isQueued = entryList.queuedIds.has(entry.id)
  const [isReadByOpen, setReadByOpen] = useState(false)
  return (
    <Card kind="index" className="flex flex-col gap-3">
      <h2 className="border-b border-chart4 pb-2 font-serif text-lead wrap-anywhere">{label}</h2>
      <div className="font-serif text-read wrap-anywhere">
        <WrittenText text={belief} />
      </div>
      {entry.audioId && (
        <>
          <RecordingPlayer audioId={entry.audioId} durationMs={entry.durationMs} />
          {!isQueued && <Transcript entry={entry} entryList={entryList} />}
        </>
      )}
      {!isQueued && <StillTrue entry={entry} entryList={entryList} />}
      <div className="flex flex-wrap items-center gap-2">
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
          {!isQueued && !entryList.demo && (
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
      <ReadBy entity="voice" id={entry.id} open={isReadByOpen} onClose={() => setReadByOpen(false)} />
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
  const [busy, setBusy] = useState(false)
  const [errorMessage, setErrorMessage] = useState<string>()
  const provider = useTranscriber(!entryList.demo)
  const { transcript, transcriptStatus: status } = entry

  async function requestTranscript() {
    setBusy(true)
    setErrorMessage(undefined)
    try {
      await entryList.put(await call(voice.transcribe, { params: { id: entry.id } }))
    } catch (reason) {
      setErrorMessage(getServerMessage(reason) ?? 'The server couldn’t be reached.')
    } finally {
      setBusy(false)
    }
  }

  const isOffered = provider !== undefined && entry.aiVisible && status !== 'queued' && transcript === null
  const problem = errorMessage ?? (status === 'failed' ? (entry.transcriptError ?? 'Transcription failed.') : undefined)
  return (
    <div className="flex flex-col items-start gap-2">
      {problem && (
        <WriteError title="The recording wasn’t transcribed" serverMessage={problem} onRetry={requestTranscript} />
      )}
      {status === 'queued' && (
        <p role="status" className="text-small text-muted-foreground">
          Transcribing...
        </p>
      )}
      {isOffered && !problem && (
        <Button size="small" busy={busy} busyLabel="Asking..." onClick={requestTranscript}>
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
