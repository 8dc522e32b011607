import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { AgentProposal } from '#contract/agents/intent.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { newAgentPath } from '../agent-addresses.ts'
import { AgentSeal } from '../agent-seal.tsx'
import { createAgentDraft } from '../form/agent-draft.ts'
import { ClassBadge } from '../registry/agent-badges.tsx'
import { toProposalValues } from './proposal-values.ts'

/** A proposed agent. Nothing is created until Create Agent is pressed in its form. */
export function ProposalCard({ proposal }: { proposal: AgentProposal }) {
  const navigate = useNavigate()
  const [isConfirming, setIsConfirming] = useState(false)
  const values = toProposalValues(proposal)
  const agentClass = values.agent_class

  function fillForm() {
    // The proposal’s slug is known to be free, so it doesn’t follow the name.
    createAgentDraft(null).write({ values, rev: null, slugTyped: true })
    navigate(newAgentPath)
  }
  function openForm() {
    if (createAgentDraft(null).read()) setIsConfirming(true)
    else fillForm()
  }

  return (
    <Card className="flex flex-col gap-3" role="group" aria-label={`Proposed agent: ${proposal.name}`}>
      <div className="flex items-center gap-3">
        <AgentSeal agent={{ name: proposal.name, agent_class: agentClass }} size={42} className="shrink-0" />
        <div className="min-w-0 flex-1">
          <h3 className="font-serif text-h3 wrap-break-word">{proposal.name}</h3>
          <p className="flex flex-wrap items-center gap-1.5 text-small text-muted-foreground">
            <ClassBadge agentClass={agentClass} />
            <Badge tone="outlined">proposed, not saved</Badge>
          </p>
        </div>
      </div>
      <p className="text-ui wrap-break-word whitespace-pre-wrap">{proposal.purpose}</p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-ui">
        <dt className="text-muted-foreground">Tools</dt>
        <dd className="font-mono text-code wrap-anywhere">{values.tools || 'none'}</dd>
        <dt className="text-muted-foreground">Model</dt>
        <dd className="font-mono text-code wrap-anywhere">
          {values.model_provider} {values.model}
        </dd>
        <dt className="text-muted-foreground">Scope</dt>
        <dd className="font-mono text-code">{values.context_scope || 'General'}</dd>
      </dl>
      <div>
        <Button variant="primary" onClick={openForm}>
          Open the form
        </Button>
      </div>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setIsConfirming}
        title="Replace your unsaved changes?"
        confirmLabel="Replace"
        onConfirm={fillForm}
      >
        The new agent form has unsaved changes. Opening this proposal replaces them.
      </ConfirmDialog>
    </Card>
  )
}
