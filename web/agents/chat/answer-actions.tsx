import { RefreshCw, RotateCw, Sparkles, Square, Volume2 } from 'lucide-react'
import { BranchSwitch } from '#web/ui/controls/branch-switch.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { AnswerDetails } from './answer-details.tsx'
import type { ChatMessageProps } from './chat-message.tsx'
import { quietClasses } from './quiet-classes.ts'

export function AnswerActions({
  entry,
  actions,
  hasFailed,
  branching,
  signedIn,
  canEditAgent,
  reading,
}: ChatMessageProps) {
  const { content, status, id, runId } = entry
  const hasText = content !== ''
  return (
    <div className="mt-1 -ms-1.5 flex min-h-7 flex-wrap items-center gap-1 font-sans text-small text-muted-foreground">
      <BranchSwitch
        branches={entry.branches}
        id={entry.id}
        isAnswer
        onShow={actions.showBranch}
        disabled={branching !== 'on'}
      />
      {entry.mock && (
        <Badge tone="warning" className="ms-1.5">
          Mock answer, no model called
        </Badge>
      )}
      {status === 'stopped' && <span className="mx-1.5">Stopped</span>}
      {hasFailed && (
        <Button size="small" onClick={actions.tryAgain} icon={<RotateCw aria-hidden size={13} />} className="mx-1.5">
          Try again
        </Button>
      )}
      {reading === 'on' && (
        <Button
          size="small"
          onClick={() => actions.readAloud(entry)}
          icon={<Square aria-hidden size={11} />}
          className="mx-1.5"
        >
          Stop reading
        </Button>
      )}
      <div className={`flex flex-wrap items-center ${quietClasses}`}>
        {hasText && <CopyButton text={content} label="Copy message" />}
        {branching !== 'off' && id && !hasFailed && (
          <IconButton
            label="Regenerate"
            size="small"
            disabled={branching === 'waits'}
            onClick={() => actions.regenerate(entry)}
          >
            <RefreshCw aria-hidden size={13} />
          </IconButton>
        )}
        {hasText && reading === 'silent' && (
          <IconButton label="Read aloud" size="small" onClick={() => actions.readAloud(entry)}>
            <Volume2 aria-hidden size={14} />
          </IconButton>
        )}
        {hasText && canEditAgent && status === 'success' && (
          <IconButton label="Make this a golden answer" size="small" onClick={() => actions.createGolden(entry)}>
            <Sparkles aria-hidden size={13} />
          </IconButton>
        )}
        {signedIn && runId && <AnswerDetails runId={runId} />}
      </div>
    </div>
  )
}
