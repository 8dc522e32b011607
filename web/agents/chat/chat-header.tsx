import { ArrowLeft, Brain, History, Plus } from 'lucide-react'
import { Link } from 'react-router'
import type { PublicAgent } from '#contract/agents/agents.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { AgentSeal } from '../agent-seal.tsx'

export interface ChatHeaderProps {
  agent: PublicAgent
  sessionId: string | null
  messageCount: number
  backTo: string | null
  onNewSession: () => void
  newSessionDisabled: boolean
  /** Undefined without memory: then there are no sessions. */
  onShowSessions: (() => void) | undefined
}

const backClasses =
  'grid size-8 shrink-0 place-items-center rounded-md text-muted-foreground hover:bg-fill hover:text-foreground phone:size-10'

export function ChatHeader({
  agent,
  sessionId,
  messageCount,
  backTo,
  onNewSession,
  newSessionDisabled,
  onShowSessions,
}: ChatHeaderProps) {
  const arrow = <ArrowLeft aria-hidden size={18} />
  return (
    <header className="flex shrink-0 items-center gap-3.5 border-b border-border bg-card px-6 py-3 phone:gap-2.5 phone:px-2 phone:py-2.5">
      {/* The landing page is a separate document, outside the router. */}
      {backTo === null ? null : backTo === '/' ? (
        <a href="/" aria-label="Home" className={backClasses}>
          {arrow}
        </a>
      ) : (
        <Link to={backTo} aria-label="Back" className={backClasses}>
          {arrow}
        </Link>
      )}
      <AgentSeal agent={agent} size={44} className="shrink-0 phone:size-8 max-[359px]:hidden" />
      <div className="flex min-w-0 flex-1 items-center gap-4 phone:flex-wrap phone:gap-x-2 phone:gap-y-0.5">
        <div className="min-w-0 flex-1 phone:contents">
          <div className="flex items-center gap-2.5 phone:contents">
            <h1 className="truncate text-[21px] leading-[26px] tracking-normal phone:line-clamp-3 phone:basis-full phone:text-[18px] phone:leading-[21px] phone:whitespace-normal phone:wrap-anywhere">
              {agent.name}
            </h1>
            <Badge
              tone={agent.memory_enabled ? 'success' : 'neutral'}
              icon={<Brain aria-hidden size={12} />}
              className="phone:order-2 phone:px-1"
            >
              <span className="phone:sr-only">{agent.memory_enabled ? 'Memory on' : 'Memory off'}</span>
            </Badge>
          </div>
          <p className="truncate text-ui text-muted-foreground phone:order-1 phone:basis-full">
            {agent.config.tagline || agent.purpose}
          </p>
        </div>
        <div className="flex shrink-0 items-center gap-4 text-ui text-muted-foreground phone:order-3 phone:gap-2 phone:text-micro">
          {sessionId && (
            <span title={sessionId} className="whitespace-nowrap">
              <span className="phone:sr-only">Session </span>
              <span className="font-mono text-foreground">{sessionId.slice(0, 8)}</span>
            </span>
          )}
          <span className="whitespace-nowrap tabular-nums">
            {messageCount} {messageCount === 1 ? 'message' : 'messages'}
          </span>
        </div>
      </div>
      {onShowSessions && (
        <Button
          size="small"
          aria-haspopup="dialog"
          onClick={onShowSessions}
          aria-label="Sessions"
          icon={<History aria-hidden size={13} />}
          className="-me-2 phone:-me-1.5 phone:gap-0 phone:px-2.5"
        >
          <span className="phone:sr-only">Sessions</span>
        </Button>
      )}
      <Button
        size="small"
        disabled={newSessionDisabled}
        onClick={onNewSession}
        aria-label="New session"
        icon={<Plus aria-hidden size={13} />}
        className="phone:gap-0 phone:px-2.5"
      >
        <span className="phone:sr-only">New session</span>
      </Button>
    </header>
  )
}
