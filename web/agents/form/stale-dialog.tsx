import { useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { useAgentEditing } from './agent-editor.tsx'
import { type AgentField, type AgentFormValues, valuesFrom } from './agent-form-values.ts'
import { fieldNames } from './check-agent-form.ts'

/** Shows only the differing fields of both versions. */
export function StaleDialog() {
  const { stale, keepMine, takeTheirs } = useAgentEditing()
  const [closed, setClosed] = useState<typeof stale>()
  const [busy, setBusy] = useState(false)
  if (!stale) return null
  const differences = differencesOf(stale.yours, stale.current)

  async function keep() {
    setBusy(true)
    await keepMine()
    setBusy(false)
  }

  return (
    <Dialog
      open={closed !== stale}
      onOpenChange={(open) => setClosed(open ? undefined : stale)}
      size="large"
      title="Someone saved a newer version while you were editing"
      description="Both versions are here. Nothing is saved until you choose. If you close this, your changes stay in the form."
      footer={
        <>
          <Button onClick={takeTheirs}>Take theirs</Button>
          <Button variant="primary" busy={busy} onClick={keep}>
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
            {differences.map(({ field, mine, theirs }) => (
              <tr key={field} className="border-b border-hairline align-top last:border-0">
                <th scope="row" className="py-2 pe-3 text-start font-label">
                  {fieldNames[field]}
                </th>
                <td className="py-2 pe-4 wrap-break-word whitespace-pre-wrap">{mine}</td>
                <td className="py-2 wrap-break-word whitespace-pre-wrap">{theirs}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {differences.length === 0 && <p className="py-3">Both versions are the same. Either choice is safe.</p>}
      </div>
    </Dialog>
  )
}

function differencesOf(yours: Agent, current: Agent) {
  const [mine, theirs] = [valuesFrom(yours), valuesFrom(current)]
  return (Object.keys(mine) as AgentField[])
    .map((field) => ({ field, mine: shown(mine[field]), theirs: shown(theirs[field]) }))
    .filter((difference) => difference.mine !== difference.theirs)
}

function shown(value: AgentFormValues[AgentField]): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return (Array.isArray(value) ? value.join(', ') : String(value ?? '')) || '–'
}
