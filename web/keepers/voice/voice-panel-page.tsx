import { Plus } from 'lucide-react'
import { useSearchParams } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { KeeperFrame } from '../keeper-frame.tsx'
import { LongList } from '../rooms/long-list.tsx'
import { DemoNote, RoomError, RoomHead, RoomLoading } from '../rooms/room-parts.tsx'
import { useRoom } from '../rooms/use-room.ts'
import { useWriting } from '../rooms/use-writing.ts'
import { CutOffHint } from './cut-off-hint.tsx'
import { VoiceCard } from './voice-card.tsx'
import { VoiceForm } from './voice-form.tsx'
import { isUpdated, voiceRoom } from './voice-room.ts'

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
  const open = useRoom(voiceRoom, keeper)
  const [writing, begin, close] = useWriting()
  const { entries } = open
  const [query, setQuery] = useSearchParams()
  const named = query.get('entry')
  const isThere = entries?.some(({ id }) => id === named) ?? false
  if (!entries)
    return open.error ? (
      <RoomError title={voiceRoom.failures.fetch} reason={open.error} onRetry={open.retry} retrying={open.isRetrying} />
    ) : (
      <RoomLoading />
    )
  const add = (
    <Button variant="primary" data-opens="new" icon={<Plus aria-hidden size={15} />} onClick={() => begin('new')}>
      Add Voice Entry
    </Button>
  )
  return (
    <>
      {open.demo && <DemoNote />}
      <RoomHead
        figures={[
          { label: 'Total Entries', value: entries.length },
          { label: 'Updated', value: entries.filter(isUpdated).length },
        ]}
      >
        {writing !== 'new' && add}
      </RoomHead>
      {writing === undefined && (
        <CutOffHint
          keeperId={keeper.id}
          onHear={(place) => begin(entries.some(({ id }) => id === place) ? place : 'new')}
        />
      )}
      {writing === 'new' && <VoiceForm keeperId={keeper.id} open={open} entry={null} onClose={close} />}
      {entries.length === 0 && writing !== 'new' && (
        <EmptyPanel drawing="leaf" title="No voice entries yet" action={add}>
          Say one thing you hold to be true. In a year your keeper asks whether you still do.
        </EmptyPanel>
      )}
      {named && !isThere && (
        <EmptyPanel
          drawing="leaf"
          title="This entry isn’t here"
          action={<Button onClick={() => setQuery({}, { replace: true })}>Show the others</Button>}
        >
          It may have been deleted. Look in Recently deleted (kept for 30 days).
        </EmptyPanel>
      )}
      <LongList
        label="Voice entries"
        entries={entries}
        named={named}
        className="grid items-start gap-5 desk:grid-cols-2"
      >
        {(entry) =>
          writing === entry.id ? (
            <VoiceForm keeperId={keeper.id} open={open} entry={entry} onClose={close} />
          ) : (
            <VoiceCard entry={entry} open={open} onEdit={() => begin(entry.id)} />
          )
        }
      </LongList>
    </>
  )
}
