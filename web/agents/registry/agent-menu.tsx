import { useMutation } from '@tanstack/react-query'
import { Ellipsis, LayoutPanelLeft, MessageSquare, Pencil, ScrollText, Trash2 } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import type { Agent } from '#contract/agents/agents.ts'
import { isSampleAgent } from '#contract/samples/sample-agents.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { getChatPath, getEditPath, logsPath } from '../agent-addresses.ts'
import { getReasonText } from '../runs/reason-text.ts'

interface AgentMenuProps {
  agent: Agent
  showsEdit?: boolean
  onDelete?: ((agent: Agent) => void) | undefined
  className?: string
}

export function AgentMenu({ agent, showsEdit = false, onDelete, className }: AgentMenuProps) {
  const board = usePutOnBoard()
  const isSaved = !isSampleAgent(agent)
  return (
    <Menu
      trigger={
        <IconButton label={`More for ${agent.name}`} size="small" className={className}>
          <Ellipsis aria-hidden size={16} />
        </IconButton>
      }
    >
      {showsEdit && (
        <MenuItem asChild>
          <Link to={getEditPath(agent.id)}>
            <Pencil aria-hidden size={15} />
            {agent.may.edit ? 'Edit' : 'View'}
          </Link>
        </MenuItem>
      )}
      {agent.agent_class === 'Lead' && (
        <MenuItem asChild>
          <a href={getChatPath(agent.slug)} target="_blank" rel="noopener">
            <MessageSquare aria-hidden size={15} />
            Chat
          </a>
        </MenuItem>
      )}
      {isSaved && (
        <MenuItem asChild>
          <Link to={`${logsPath}?agentId=${encodeURIComponent(agent.id)}`}>
            <ScrollText aria-hidden size={15} />
            View Logs
          </Link>
        </MenuItem>
      )}
      {isSaved && (
        <MenuItem icon={<LayoutPanelLeft aria-hidden size={15} />} onSelect={() => board.put(agent)}>
          Put on a board
        </MenuItem>
      )}
      {onDelete && (
        <MenuItem
          danger
          disabled={!agent.may.remove}
          icon={<Trash2 aria-hidden size={15} />}
          end={!agent.may.remove && <span className="text-small">{getDeleteHint(agent)}</span>}
          onSelect={() => onDelete(agent)}
        >
          Delete
        </MenuItem>
      )}
    </Menu>
  )
}

function getDeleteHint({ owner_id }: Agent): string {
  return owner_id === null ? 'comes with Keeper' : 'not yours to delete'
}

/** Creates a board with the agent on it and opens it. */
export function usePutOnBoard() {
  const navigate = useNavigate()
  const { mutate, isPending } = useMutation({
    mutationFn: async (agent: Agent) => (await import('./put-on-board.ts')).createAgentBoard(agent),
    onSuccess: (boardId) => navigate(`/studio/board-studio?board=${encodeURIComponent(boardId)}`),
    onError: (reason) => void showToast(`The board couldn’t be created: ${getReasonText(reason)}`),
  })
  return { put: mutate, isPutting: isPending }
}
