import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { isUpdated, voiceKind } from '../entries/entry-kinds.ts'
import { EntryListPage, LongList } from '../entries/entry-parts.tsx'
import { KeeperFrame } from '../keeper-frame.tsx'
import { type InterruptedRecording, listInterruptedRecordings } from './running-recording.ts'
import { VoiceCard } from './voice-card.tsx'
import { VoiceForm } from './voice-form.tsx'

export function VoicePanelPage() {
  return (
    <KeeperFrame
      pageName="Voice Panel"
      subtitle="What you believe, in your own words and, if you like, your own voice."
    >
      {(keeper) => <VoicePanel key={keeper.id} keeper={keeper} />}
    </KeeperFrame>
  )
}

function VoicePanel({ keeper }: { keeper: Keeper }) {
  const [searchParams, setSearchParams] = useSearchParams()
  const linkedId = searchParams.get('entry')
  return (
    <EntryListPage
      kind={voiceKind}
      keeper={keeper}
      addLabel="Add Voice Entry"
      Form={VoiceForm}
      renderCard={(card) => <VoiceCard {...card} />}
      getStats={(entries) => [
        { label: 'Total Entries', value: entries.length },
        { label: 'Updated', value: entries.filter(isUpdated).length },
      ]}
    >
      {({ entries, openForm, showForm, addButton, renderEntry }) => (
        <>
          {openForm === undefined && (
            <InterruptedHint
              keeperId={keeper.id}
              onListen={(place) => showForm(entries.some(({ id }) => id === place) ? place : 'new')}
            />
          )}
          {entries.length === 0 && addButton && (
            <EmptyPanel drawing="leaf" title="No voice entries yet" action={addButton}>
              Say one thing you hold to be true. In a year, your keeper asks whether you still do.
            </EmptyPanel>
          )}
          {linkedId && !entries.some(({ id }) => id === linkedId) && (
            <EmptyPanel
              drawing="leaf"
              title="Entry not found"
              action={<Button onClick={() => setSearchParams({}, { replace: true })}>Show all entries</Button>}
            >
              The entry may have been deleted. Look in Recently deleted (kept for 30 days).
            </EmptyPanel>
          )}
          <LongList label="Voice entries" entries={entries} linkedId={linkedId} className="grid gap-5 desk:grid-cols-2">
            {renderEntry}
          </LongList>
        </>
      )}
    </EntryListPage>
  )
}

interface InterruptedHintProps {
  keeperId: string
  /** Opens the form in which the recording can be played, kept or discarded. */
  onListen: (place: string) => void
}

/** Points to a recording whose page was closed before it ended. */
function InterruptedHint({ keeperId, onListen }: InterruptedHintProps) {
  const [interruptedRecording, setInterruptedRecording] = useState<InterruptedRecording>()
  useEffect(() => {
    let isDisposed = false
    void listInterruptedRecordings(keeperId).then(([oldestRecording]) => {
      if (!isDisposed) setInterruptedRecording(oldestRecording)
    })
    return () => {
      isDisposed = true
    }
  }, [keeperId])
  if (!interruptedRecording) return null
  return (
    <Banner
      tone="info"
      className="mb-5"
      action={
        <Button size="small" onClick={() => onListen(interruptedRecording.place)}>
          Listen
        </Button>
      }
    >
      A recording was cut off when its page was closed, <Time value={interruptedRecording.at} timeStyle="date-time" />.
      It’s saved in this browser.
    </Banner>
  )
}
