import { MessageSquare, Play } from 'lucide-react'
import type { Agent } from '#contract/agents/agents.ts'
import { AnchorButton, Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { getChatPath } from '../agent-addresses.ts'
import { usePutOnBoard } from './agent-menu.tsx'

interface CreatedBannerProps {
  agent: Agent
  onRun: () => void
  onDismiss: () => void
}

/** Offers the next steps with an agent that was just created. */
export function CreatedBanner({ agent, onRun, onDismiss }: CreatedBannerProps) {
  const board = usePutOnBoard()
  return (
    <Banner tone="info" onDismiss={onDismiss} className="mb-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p>
          Created <bdi>{agent.name}</bdi>.
        </p>
        <p className="-my-1 flex flex-wrap gap-2">
          <Button size="small" icon={<Play aria-hidden size={13} />} onClick={onRun}>
            Run it
          </Button>
          {agent.agent_class === 'Lead' && (
            <AnchorButton
              size="small"
              href={getChatPath(agent.slug)}
              target="_blank"
              rel="noopener"
              icon={<MessageSquare aria-hidden size={13} />}
            >
              Chat
            </AnchorButton>
          )}
          <Button size="small" busy={board.isPutting} onClick={() => board.put(agent)}>
            Put on a board
          </Button>
        </p>
      </div>
    </Banner>
  )
}
