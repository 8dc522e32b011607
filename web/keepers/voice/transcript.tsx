import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type VoiceEntry, voice } from '#contract/keepers/voice.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { WriteError } from '#web/ui/panels/write-error.tsx'
import type { EntryList } from '../entries/use-entry-list.ts'
import { keepersKey } from '../keeper-queries.ts'

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

export function Transcript({ entry, entryList }: { entry: VoiceEntry; entryList: EntryList<VoiceEntry> }) {
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
