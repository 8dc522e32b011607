import { History } from 'lucide-react'
import { useState } from 'react'
import { HistoryDialog } from '#web/offline/history-dialog.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { showToast } from '#web/ui/show-toast.tsx'
import type { Room, RoomEntry } from './room.ts'
import type { OpenRoom } from './use-room.ts'

interface EarlierVersionsProps<Entry extends RoomEntry> {
  entry: Entry
  open: OpenRoom<Entry>
  room: Room<Entry>
  /** Used in the label: 'Earlier versions of Promises'. */
  what: string
}

/** Earlier versions of an entry; restoring one is saved like any other change. */
export function EarlierVersions<Entry extends RoomEntry>({ entry, open, room, what }: EarlierVersionsProps<Entry>) {
  const [looksBack, setLooksBack] = useState(false)

  async function bringBack(body: Record<string, unknown>) {
    const sent = await open.save({ id: entry.id, body, rev: entry.rev })
    if (sent.state === 'sent') await open.put(sent.answer)
    else void showToast(`${room.what}: waiting to be sent. It is safe in this browser.`)
  }

  return (
    <>
      <IconButton size="small" label={`Earlier versions of ${what}`} onClick={() => setLooksBack(true)}>
        <History aria-hidden size={14} />
      </IconButton>
      <HistoryDialog
        entity={room.entity}
        id={entry.id}
        current={{ ...(entry as object) }}
        fields={room.words}
        onRestore={bringBack}
        onOpenChange={setLooksBack}
        open={looksBack}
      />
    </>
  )
}
