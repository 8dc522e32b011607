import { useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { registryAddress } from '../agent-addresses.ts'

export function KeeperTypesTab({ agent }: { agent: Agent | undefined }) {
  if (!agent) {
    return (
      <EmptyPanel
        drawing="seal"
        title="No Agent Selected"
        action={<LinkButton to={registryAddress}>Choose an agent</LinkButton>}
      >
        Keeper types are assigned to one agent at a time.
      </EmptyPanel>
    )
  }
  return <AssignedTypes agent={agent} />
}

function AssignedTypes({ agent }: { agent: Agent }) {
  const [assigning, setAssigning] = useState(false)
  return (
    <>
      <EmptyPanel
        drawing="drawer"
        title={'No keeper types assigned yet. Click "Assign New" to get started.'}
        action={<Button onClick={() => setAssigning(true)}>Assign New</Button>}
      >
        A keeper type decides which of your keepers {agent.name} may read.
      </EmptyPanel>
      <Dialog
        open={assigning}
        onOpenChange={setAssigning}
        size="small"
        title="Assign keeper types"
        footer={
          <Button variant="primary" onClick={() => setAssigning(false)}>
            Done
          </Button>
        }
      >
        <p>All available keeper types have been assigned to this agent.</p>
      </Dialog>
    </>
  )
}
