import { Square } from 'lucide-react'
import { Button } from '#web/ui/controls/button.tsx'
import { RunAnswer } from './run-answer.tsx'
import type { RunView } from './run-view.ts'

export interface LiveRunProps {
  view: RunView
  agentSlug: string | undefined
  onStop: () => void
}

export function LiveRun({ view, agentSlug, onStop }: LiveRunProps) {
  return (
    <div className="flex flex-col items-start gap-3 border-b border-border px-[18px] py-3.5">
      <RunAnswer view={view} agentSlug={agentSlug} linked={false} className="w-full" />
      {view.status === 'running' && (
        <Button size="small" busy={view.stopping} onClick={onStop} icon={<Square aria-hidden size={12} />}>
          Stop
        </Button>
      )}
    </div>
  )
}
