import { Plus } from 'lucide-react'
import { useSearchParams } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { DemoNote, EntryListHead, EntryListSkeleton, EntryLoadError } from '../entries/entry-parts.tsx'
import { LongList } from '../entries/long-list.tsx'
import { useEntryList } from '../entries/use-entry-list.ts'
import { useWriting } from '../entries/use-writing.ts'
import { KeeperFrame } from '../keeper-frame.tsx'
import { InterruptedHint } from './interrupted-hint.tsx'
import { VoiceCard } from './voice-card.tsx'
import { VoiceForm } from './voice-form.tsx'
import { isUpdated, voiceKind } from './voice-kind.ts'

export function VoicePanelPage() {
  return (
    <KeeperFrame
      pageName="Voice Panel"
      sub={() => 'What you believe, in your own words and, if you like, your own voice.'}
    >
      {(keeper) => <VoicePanel key={keeper.id} keeper={keeper} />}
    </KeeperFrame>
  )
}

function VoicePanel({ keeper }: { keeper: Keeper }) {
  const open = useEntryList(voiceKind, keeper)
  const [writing, startWriting, close] = useWriting()
  const { entries } = open
  const [query, setQuery] = useSearchParams()
  const named = query.get('entry')
  const isThere = entries?.some(({ id }) => id === named) ?? false
  if (!entries)
    return open.error ? (
      <EntryLoadError
        title={voiceKind.failures.fetch}
        reason={open.error}
        onRetry={open.retry}
        retrying={open.isRetrying}
      />
    ) : (
      <EntryListSkeleton />
    )
  const add = (
    <Button
      variant="primary"
      data-opens="new"
      icon={<Plus aria-hidden size={15} />}
      onClick={() => startWriting('new')}
    >
      Add Voice Entry
    </Button>
  )
  return (
    <>
      {open.demo && <DemoNote />}
      <EntryListHead
        stats={[
          { label: 'Total Entries', value: entries.length },
          { label: 'Updated', value: entries.filter(isUpdated).length },
        ]}
      >
        {writing !== 'new' && add}
      </EntryListHead>
      {writing === undefined && (
        <InterruptedHint
          keeperId={keeper.id}
          onListen={(place) => startWriting(entries.some(({ id }) => id === place) ? place : 'new')}
        />
      )}
      {writing === 'new' && <VoiceForm keeperId={keeper.id} open={open} entry={null} onClose={close} />}
      {entries.length === 0 && writing !== 'new' && (
        <EmptyPanel drawing="leaf" title="No voice entries yet" action={add}>
          Say one thing you hold to be true. In a year, your keeper asks whether you still do.
        </EmptyPanel>
      )}
      {named && !isThere && (
        <EmptyPanel
          drawing="leaf"
          title="Entry not found"
          action={<Button onClick={() => setQuery({}, { replace: true })}>Show all entries</Button>}
        >
          The entry may have been deleted. Look in Recently deleted (kept for 30 days).
        </EmptyPanel>
      )}
      <LongList
        label="Voice entries"
        entries={entries}
        namedId={named}
        className="grid items-start gap-5 desk:grid-cols-2"
      >
        {(entry) =>
          writing === entry.id ? (
            <VoiceForm keeperId={keeper.id} open={open} entry={entry} onClose={close} />
          ) : (
            <VoiceCard entry={entry} open={open} onEdit={() => startWriting(entry.id)} />
          )
        }
      </LongList>
    </>
  )
}
