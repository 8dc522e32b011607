import { Link } from 'react-router'
import { MessageDialog } from '#web/ui/overlays/message-dialog.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { getRunPath } from '../agent-addresses.ts'
import { type RunOutcome, testInput } from '../runs/run-agent.ts'

export function RunOutcomeDialog({ outcome, onClose }: { outcome: RunOutcome | undefined; onClose: () => void }) {
  if (!outcome) return null
  const { agent, succeeded, ms, reason, response, runId, mockMode, offline } = outcome
  return (
    <MessageDialog
      open
      onOpenChange={(open) => !open && onClose()}
      message={succeeded ? `Agent executed successfully in ${ms}ms` : 'Agent execution failed'}
    >
      {reason && <p className="wrap-break-word text-foreground">{reason}</p>}
      <p>
        {agent.name} was asked: “{testInput}”
      </p>
      {response && (
        <p className="mt-2 line-clamp-6 font-serif text-[16px] leading-6 wrap-break-word whitespace-pre-line text-foreground">
          {response}
        </p>
      )}
      <p className="mt-2.5 flex flex-wrap items-center gap-x-3 gap-y-1">
        {mockMode && <Badge tone="warning">mock_mode</Badge>}
        {mockMode && (offline ? 'The server can’t be reached.' : 'No key was set, so no model was called.')}
        {runId && (
          <Link to={getRunPath(runId)} onClick={onClose} className="rounded-xs text-foreground underline">
            View run
          </Link>
        )}
      </p>
    </MessageDialog>
  )
}
