import { RefreshCw, RotateCw, Sparkles, Square, Volume2 } from 'lucide-react'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { AnswerFacts } from './answer-facts.tsx'
import { BranchSwitch } from './branch-switch.tsx'
import type { ChatMessageProps } from './chat-message.tsx'
import { quiet } from './quiet-classes.ts'

export function AnswerActions({
  entry,
  deeds,
  hasFailed,
  branching,
  signedIn,
  mayEditAgent,
  reading,
}: ChatMessageProps) {
  const { content, status, id, runId } = entry
  const hasWords = content !== ''
  return (
    <div className="mt-1 -ms-1.5 flex min-h-7 flex-wrap items-center gap-1 font-sans text-small text-muted-foreground">
      <BranchSwitch entry={entry} onShow={deeds.showBranch} disabled={branching !== 'on'} />
      {entry.mock && (
        <Badge tone="warning" className="ms-1.5">
          Mock answer, no model called
        </Badge>
      )}
      {status === 'stopped' && <span className="mx-1.5">Stopped</span>}
      {hasFailed && (
        <Button size="small" onClick={deeds.tryAgain} icon={<RotateCw aria-hidden size={13} />} className="mx-1.5">
          Try again
        </Button>
      )}
      {reading === 'on' && (
        <Button
          size="small"
          onClick={() => deeds.readAloud(entry)}
          icon={<Square aria-hidden size={11} />}
          className="mx-1.5"
        >
          Stop reading
        </Button>
      )}
      <div className={`flex flex-wrap items-center ${quiet}`}>
        {hasWords && <CopyButton text={content} label="Copy message" />}
        {branching !== 'off' && id && !hasFailed && (
          <IconButton
            label="Regenerate"
            size="small"
            disabled={branching === 'waits'}
            onClick={() => deeds.regenerate(entry)}
          >
            <RefreshCw aria-hidden size={13} />
          </IconButton>
        )}
        {hasWords && reading === 'silent' && (
          <IconButton label="Read aloud" size="small" onClick={() => deeds.readAloud(entry)}>
            <Volume2 aria-hidden size={14} />
          </IconButton>
        )}
        {hasWords && mayEditAgent && status === 'success' && (
          <IconButton label="Make this a golden answer" size="small" onClick={() => deeds.makeGolden(entry)}>
            <Sparkles aria-hidden size={13} />
          </IconButton>
        )}
        {signedIn && runId && <AnswerFacts runId={runId} />}
      </div>
    </div>
  )
}
