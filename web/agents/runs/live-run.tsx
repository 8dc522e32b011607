import { useQueryClient } from '@tanstack/react-query'
import { Square } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '#web/ui/button.tsx'
import { logsKey, runKey } from '../agent-queries.ts'
import { RunAnswer } from './run-answer.tsx'
import { useRunStream } from './use-run-stream.ts'

/** A run that still goes on: followed, and asked for again when it is over. */
export function LiveRun({ runId }: { runId: string }) {
  const queries = useQueryClient()
  const { view, look, stop } = useRunStream()
  useEffect(() => {
    void look({ runId })
  }, [look, runId])

  const over = view !== undefined && view.status !== 'running'
  useEffect(() => {
    if (!over) return
    void queries.invalidateQueries({ queryKey: runKey(runId) })
    void queries.invalidateQueries({ queryKey: logsKey })
  }, [over, queries, runId])

  if (!view) return null
  return (
    <div className="flex flex-col items-start gap-3 border-b border-border px-[18px] py-3.5">
      <RunAnswer view={view} linked={false} className="w-full" />
      {!over && (
        <Button size="small" busy={view.stopping} onClick={stop} icon={<Square aria-hidden size={12} />}>
          Stop
        </Button>
      )}
    </div>
  )
}
