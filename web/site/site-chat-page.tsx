import { BrowserRouter } from 'react-router'
import type { PublicAgent } from '#contract/agents/agents.ts'
import { LeadChat } from '#web/agents/chat/lead-chat.tsx'
import { OnCustomHost } from '#web/agents/chat/on-custom-host.ts'

/** The chat as every visitor has it, and nothing around it that leads into Keeper. */
export function SiteChatPage({ agent }: { agent: PublicAgent }) {
  return (
    <OnCustomHost value={true}>
      <BrowserRouter>
        <LeadChat agent={agent} signedIn={false} offline={false} />
      </BrowserRouter>
    </OnCustomHost>
  )
}
