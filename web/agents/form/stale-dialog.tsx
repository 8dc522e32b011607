import { useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { useAgentEditing } from './agent-editor.tsx'
import { type AgentField, type AgentFormValues, toFormValues } from './agent-form-values.ts'
import { fieldNames } from './check-agent-form.ts'

export function StaleDialog() {
  const { stale, keepLocal, takeRemote } = useAgentEditing()
  const [closedVersions, setClosedVersions] = useState<typeof stale>()
  const [busy, setBusy] = useState(false)
  if (!stale) return null
  const differences = findDifferences(stale.yours, stale.current)

  async function saveLocal() {
    setBusy(true)
    await keepLocal()
    setBusy(false)
  }

  return (
    <Dialog
      open={closedVersions !== stale}
      onOpenChange={(open) => setClosedVersions(open ? undefined : stale)}
      size="large"
      title="Someone saved a newer version while you were editing"
      description="Both versions are here. Nothing is saved until you choose. If you close this, your changes stay in the form."
      footer={
        <>
          <Button onClick={takeRemote}>Take theirs</Button>
          <Button variant="primary" busy={busy} onClick={saveLocal}>
            Keep mine
          </Button>
        </>
      }
    >
      <div className="overflow-x-auto">
        <table className="w-full min-w-[480px] table-fixed border-collapse text-ui">
          <thead>
            <tr className="border-b border-border text-start text-small text-muted-foreground">
              <th className="w-32 py-2 text-start font-label">Field</th>
              <th className="py-2 pe-4 text-start font-label">Mine</th>
              <th className="py-2 text-start font-label">Theirs</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ field, local, remote }) => (
              <tr key={field} className="border-b border-hairline align-top last:border-0">
                <th scope="row" className="py-2 pe-3 text-start font-label">
                  {fieldNames[field]}
                </th>
                <td className="py-2 pe-4 wrap-break-word whitespace-pre-wrap">{local}</td>
                <td className="py-2 wrap-break-word whitespace-pre-wrap">{remote}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {differences.length === 0 && <p className="py-3">Both versions are the same. Either choice is safe.</p>}
      </div>
    </Dialog>
  )
}

function findDifferences(localAgent: Agent, current: Agent) {
  const [local, remote] = [toFormValues(localAgent), toFormValues(current)]
  return (Object.keys(local) as AgentField[])
    .map((field) => ({ field, local: formatValue(local[field]), remote: formatValue(remote[field]) }))
    .filter((difference) => difference.local !== difference.remote)
}

function formatValue(value: AgentFormValues[AgentField]): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return (Array.isArray(value) ? value.join(', ') : String(value ?? '')) || '–'
}
