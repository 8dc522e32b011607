import { ArrowDown, EllipsisVertical, MessageSquarePlus, UserRoundCog } from 'lucide-react'
import type { Agent } from '#contract/agents/agents.ts'
import { AgentSeal } from '#web/agents/agent-seal.tsx'
import { ChatComposer } from '#web/agents/chat/chat-composer.tsx'
import { ChatMessage } from '#web/agents/chat/chat-message.tsx'
import { SentenceAnnouncer } from '#web/agents/chat/sentence-announcer.tsx'
import { useConversation } from '#web/agents/chat/use-conversation.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'

interface FrameChatProps {
  agent: Agent
  frameKey: string
  /** The session stored in the frame; can be another person's. */
  sessionId: string | null
  onSessionChange: (sessionId: string | null) => void
  /** Starts over, here and in the frame. */
  onNewChat: () => void
  onChooseAnother?: (() => void) | undefined
}

const maxMessageLength = 100_000

/** Each frame has its own chat, even with the same agent. */
export function FrameChat({ agent, frameKey, sessionId, onSessionChange, onNewChat, onChooseAnother }: FrameChatProps) {
  const chatKey = `frame-${frameKey}`
  const chat = useConversation({
    agent,
    signedIn: true,
    offline: false,
    scope: chatKey,
    requestedId: sessionId ?? undefined,
    onSessionChange,
  })
  const { composer, entries, reply, ready, notice } = chat
  const disabledReason = getDisabledReason(agent)
  const branching = reply ? 'waits' : 'on'

  return (
    <div className="flex h-full min-h-0 flex-col">
      <div
        ref={chat.scrollRef}
        data-scrolls
        className="relative min-h-0 grow overflow-y-auto overscroll-contain [overflow-anchor:none]"
      >
        <div ref={chat.contentRef} className="flex min-h-full flex-col gap-3.5 px-3.5 pt-3 pb-1">
          {ready && entries.length === 0 && (
            <div className="my-auto flex flex-col items-center gap-1.5 text-center">
              <AgentSeal agent={agent} size={40} />
              <p className="font-serif text-[1rem] leading-[1.375rem] text-balance">
                {sessionId ? `Your chat with ${agent.name} starts here.` : `Hello, I am ${agent.name}. How can I help?`}
              </p>
            </div>
          )}
          <ol
            aria-label={`Conversation with ${agent.name}`}
            className="flex flex-col gap-3.5 *:text-[1rem]! *:leading-[1.4375rem]! [&_p.bg-secondary]:px-3 [&_p.bg-secondary]:py-1.5 [&_p.bg-secondary]:text-ui [&_p.bg-secondary]:leading-[1.1875rem]"
          >
            {entries.map((entry) => (
              <ChatMessage
                key={entry.key}
                {...chat.getMessageProps(entry)}
                agent={agent}
                branching={chat.sessionId === null ? 'off' : branching}
                maxLength={maxMessageLength}
                signedIn
                canEditAgent={false}
                speech="off"
              />
            ))}
          </ol>
        </div>
      </div>
      <SentenceAnnouncer entry={entries.findLast(({ sender }) => sender === 'agent')} />
      <div className="relative shrink-0 px-3.5 pt-1 pb-3">
        {chat.hasNewContent && !chat.edit.openEdit && (
          <Button
            size="small"
            onClick={() => chat.scrollToEnd('smooth')}
            icon={<ArrowDown aria-hidden size={13} />}
            className="absolute start-1/2 -top-8 -translate-x-1/2 rounded-full! shadow-e2!"
          >
            New messages below
          </Button>
        )}
        {notice && (
          <Banner tone="warning" onDismiss={chat.dismissNotice} className="mb-2">
            {notice}
          </Banner>
        )}
        {disabledReason ? (
          <p className="text-small text-muted-foreground">
            {disabledReason}{' '}
            {onChooseAnother && (
              <button type="button" onClick={onChooseAnother} className="rounded-xs underline underline-offset-2">
                Choose Another
              </button>
            )}
          </p>
        ) : (
          <ChatComposer
            compact
            agentName={agent.name}
            text={composer.text}
            onTextChange={composer.write}
            onSend={chat.send}
            onStop={chat.stop}
            replying={reply !== undefined}
            stopping={chat.stopping}
            maxLength={maxMessageLength}
            textareaRef={chat.textBox}
            menu={
              (entries.length > 0 || onChooseAnother) && (
                <Menu
                  trigger={
                    <IconButton label={`More options for the chat with ${agent.name}`} size="small">
                      <EllipsisVertical aria-hidden size={15} />
                    </IconButton>
                  }
                >
                  <MenuItem
                    icon={<MessageSquarePlus aria-hidden size={14} />}
                    disabled={entries.length === 0}
                    onSelect={() => {
                      onNewChat()
                      void chat.startNewSession().then(chat.focusTextBox)
                    }}
                  >
                    New chat
                  </MenuItem>
                  {onChooseAnother && (
                    <MenuItem icon={<UserRoundCog aria-hidden size={14} />} onSelect={onChooseAnother}>
                      Another agent
                    </MenuItem>
                  )}
                </Menu>
              )
            }
          />
        )}
      </div>
    </div>
  )
}

function getDisabledReason({ name, status, may }: Agent): string | undefined {
  if (status !== 'ready') return `${name} isn’t ready yet.`
  return may.run ? undefined : `You don’t have permission to run ${name}.`
}
