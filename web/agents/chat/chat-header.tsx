import { ArrowLeft, Brain, History, Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import type { PublicAgent } from '#contract/agents/agents.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { useViewportClass } from '#web/ui/hooks/use-viewport-class.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { AgentSeal } from '../agent-seal.tsx'

const ChatMenu = lazy(() => import('./chat-menu.tsx'))

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
  const isPhone = useViewportClass() === 'phone'
  return (
    <header className="flex shrink-0 items-center gap-3.5 border-b border-border bg-card px-6 py-3 phone:h-14 phone:gap-2 phone:px-2 phone:py-0">
      {backTo !== null && <BackLink to={backTo} />}
      <AgentSeal agent={agent} size={44} className="shrink-0 phone:size-8 max-[359px]:hidden" />
      <div className="flex min-w-0 flex-1 items-center gap-4">
        <div className="min-w-0 flex-1">
          <div className="flex items-center gap-2.5">
            <h1
              dir="auto"
              className="truncate text-[1.3125rem] leading-[1.625rem] tracking-normal phone:text-[1.125rem] phone:leading-[1.375rem]"
            >
              {agent.name}
            </h1>
            <Badge
              tone={agent.memory_enabled ? 'success' : 'neutral'}
              icon={<Brain aria-hidden size={12} />}
              className="phone:hidden"
            >
              {agent.memory_enabled ? 'Memory on' : 'Memory off'}
            </Badge>
          </div>
          <p className="truncate text-ui text-muted-foreground phone:text-small phone:leading-4">
            {agent.config.tagline || agent.purpose}
          </p>
        </div>
        <div className="flex shrink-0 items-center gap-4 text-ui text-muted-foreground phone:hidden">
          {sessionId && (
            <span title={sessionId} className="whitespace-nowrap">
              Session <span className="font-mono text-foreground">{sessionId.slice(0, 8)}</span>
            </span>
          )}
          <span className="whitespace-nowrap tabular-nums">{pluralize(messageCount, 'message')}</span>
        </div>
      </div>
      {onShowSessions && (
        <Button
          size="small"
          aria-haspopup="dialog"
          onClick={onShowSessions}
          icon={<History aria-hidden size={13} />}
          className="-me-2 phone:hidden"
        >
          Sessions
        </Button>
      )}
      <Button
        size="small"
        disabled={newSessionDisabled}
        onClick={onNewSession}
        aria-label="New session"
        icon={<Plus aria-hidden size={13} />}
        className="phone:min-h-10 phone:w-10 phone:gap-0 phone:px-0"
      >
        <span className="phone:sr-only">New session</span>
      </Button>
      {isPhone && (
        <Suspense fallback={<span className="size-10" />}>
          <ChatMenu agent={agent} sessionId={sessionId} messageCount={messageCount} onShowSessions={onShowSessions} />
        </Suspense>
      )}
    </header>
  )
}

function BackLink({ to }: { to: string }) {
  const arrow = <ArrowLeft aria-hidden size={18} />
  // The landing page is a separate document, outside the router.
  if (to === '/')
    return (
      <a href="/" aria-label="Home" className={backClasses}>
        {arrow}
      </a>
    )
  return (
    <Link to={to} aria-label="Back" className={backClasses}>
      {arrow}
    </Link>
  )
}
