import { History } from 'lucide-react'
import { useState } from 'react'
import { HistoryDialog } from '#web/offline/history-dialog.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import type { BaseEntry, EntryKind } from './entry-kind.ts'
import type { EntryList } from './use-entry-list.ts'

interface EarlierVersionsProps<Entry extends BaseEntry> {
  entry: Entry
  entryList: EntryList<Entry>
  kind: EntryKind<Entry>
  /** Used in the label: 'Earlier versions of Promises'. */
  name: string
}

/** Earlier versions of an entry; restoring one is saved like any other change. */
export function EarlierVersions<Entry extends BaseEntry>({
  entry,
  entryList,
  kind,
  name,
}: EarlierVersionsProps<Entry>) {
  const [isHistoryOpen, setHistoryOpen] = useState(false)

  async function restoreVersion(body: Record<string, unknown>) {
    const sendResult = await entryList.save({ id: entry.id, body, rev: entry.rev })
    if (sendResult.state === 'sent') await entryList.put(sendResult.answer)
    else void showToast(`${kind.label}: waiting to be sent. It’s safe in this browser.`)
  }

  return (
    <>
      <IconButton size="small" label={`Earlier versions of ${name}`} onClick={() => setHistoryOpen(true)}>
        <History aria-hidden size={14} />
      </IconButton>
      <HistoryDialog
        entity={kind.entity}
        id={entry.id}
        current={{ ...(entry as object) }}
        fields={kind.textFields}
        onRestore={restoreVersion}
        onOpenChange={setHistoryOpen}
        open={isHistoryOpen}
      />
    </>
  )
}
