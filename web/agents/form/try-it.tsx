import { Card } from '#web/ui/panels/card.tsx'
import { RunBox } from '../runs/run-box.tsx'
import { useRun } from '../runs/run-store.ts'
import { useAgentEditing } from './agent-editor.tsx'

/** Runs the saved agent, not the unsaved input. */
export function TryIt() {
  const { agent, isDirty } = useAgentEditing()
  const run = useRun()
  return (
    <Card padded={false} className="px-4 py-3.5">
      <h2 className="font-sans text-ui leading-5 font-semibold tracking-normal">Try it</h2>
      <RunBox agent={agent} run={run} note={isDirty ? 'runs the saved version' : undefined} />
    </Card>
  )
}
