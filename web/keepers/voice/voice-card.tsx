import { Eye } from 'lucide-react'
import { useState } from 'react'
import type { VoiceEntry } from '#contract/keepers/voice.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { WrittenText } from '#web/ui/text/written-text.tsx'
import { EntryActions, QueuedBadge } from '../entries/entry-parts.tsx'
import type { EntryList } from '../entries/use-entry-list.ts'
import { ReadBy } from '../reads/read-by.tsx'
import { RecordingPlayer } from './recorder-box.tsx'
import { StillTrue } from './still-true.tsx'
import { Transcript } from './transcript.tsx'
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
