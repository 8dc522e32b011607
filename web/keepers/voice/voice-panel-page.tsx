import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { KeeperFrame } from '../keeper-frame.tsx'
import { RoomError, RoomHead, RoomLoading, SampleNote } from '../rooms/room-parts.tsx'
import { useRoom } from '../rooms/use-room.ts'
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
  /** `new`, an id, or nothing is being written. */
  const [writing, setWriting] = useState<string>()
  const { entries } = open
  if (!entries)
    return open.error ? (
      <RoomError title={voiceRoom.failures.fetch} reason={open.error} onRetry={open.retry} retrying={open.isRetrying} />
    ) : (
      <RoomLoading />
    )
  const add = (
    <Button variant="primary" icon={<Plus aria-hidden size={15} />} onClick={() => setWriting('new')}>
      Add Voice Entry
    </Button>
  )
  const close = () => setWriting(undefined)
  return (
    <>
      {open.sample && <SampleNote />}
      <RoomHead
        figures={[
          { label: 'Total Entries', value: entries.length },
          { label: 'Updated', value: entries.filter(isUpdated).length },
        ]}
      >
        {writing !== 'new' && add}
      </RoomHead>
      {writing === 'new' && <VoiceForm keeperId={keeper.id} open={open} entry={null} onClose={close} />}
      {entries.length === 0 && writing !== 'new' && (
        <EmptyPanel drawing="leaf" title="No voice entries yet" action={add}>
          Say one thing you hold to be true. In a year your keeper asks whether you still do.
        </EmptyPanel>
      )}
      <ul aria-label="Voice entries" className="grid items-start gap-5 desk:grid-cols-2">
        {entries.map((entry) => (
          <li key={entry.id} className="min-w-0">
            {writing === entry.id ? (
              <VoiceForm keeperId={keeper.id} open={open} entry={entry} onClose={close} />
            ) : (
              <VoiceCard entry={entry} open={open} onEdit={() => setWriting(entry.id)} />
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
