import { Ellipsis, History } from 'lucide-react'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import type { ChatHeaderProps } from './chat-header.tsx'

type ChatMenuProps = Pick<ChatHeaderProps, 'agent' | 'sessionId' | 'messageCount' | 'onShowSessions'>

/** Actions that don't fit into a phone's header. */
export default function ChatMenu({ agent, sessionId, messageCount, onShowSessions }: ChatMenuProps) {
  return (
    <Menu
      trigger={
        <IconButton label="More">
          <Ellipsis aria-hidden size={18} />
        </IconButton>
      }
    >
      {onShowSessions && (
        <MenuItem icon={<History aria-hidden size={15} />} onSelect={onShowSessions}>
          Sessions
        </MenuItem>
      )}
      {onShowSessions && <MenuSeparator />}
      {sessionId && (
        <MenuLabel>
          Session <span className="font-mono text-foreground">{sessionId.slice(0, 8)}</span>
        </MenuLabel>
      )}
      <MenuLabel>{pluralize(messageCount, 'message')}</MenuLabel>
      <MenuLabel>{agent.memory_enabled ? 'Memory on' : 'Memory off'}</MenuLabel>
    </Menu>
  )
}
