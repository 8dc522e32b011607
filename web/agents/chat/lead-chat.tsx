import { ArrowDown } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { PublicAgent } from '#contract/agents/agents.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { AgentSeal } from '../agent-seal.tsx'
import { spokenDay } from '../runs/log-times.ts'
import { ChatComposer } from './chat-composer.tsx'
import { ChatHeader } from './chat-header.tsx'
import { unsentWords } from './chat-memory.ts'
import { ChatMessage } from './chat-message.tsx'
import { SentenceAnnouncer } from './sentence-announcer.tsx'
import { useChat } from './use-chat.ts'
import { useStickToEnd } from './use-stick-to-end.ts'

export interface LeadChatProps {
  agent: PublicAgent
  signedIn: boolean
  offline: boolean
}

/** A visitor's message may be shorter than a person's (trust.md row 33). */
const longest = { visitor: 4000, person: 100_000 }

export function LeadChat({ agent, signedIn, offline }: LeadChatProps) {
  const [params, setParams] = useSearchParams()
  const [draft] = useState(() => unsentWords(agent.slug))
  const [text, setText] = useState(() => draft.read() ?? '')
  const textBox = useRef<HTMLTextAreaElement>(null)
  const { box, content, hasNew, toEnd } = useStickToEnd()

  const nameSession = useCallback(
    (sessionId: string | null) => {
      setParams(
        (before) => {
          const next = new URLSearchParams(before)
          if (sessionId) next.set('sessionId', sessionId)
          else next.delete('sessionId')
          return next
        },
        { replace: true },
      )
    },
    [setParams],
  )
  const write = (next: string) => {
    setText(next)
    draft.write(next)
  }
  const chat = useChat({
    agent,
    signedIn,
    offline,
    wantedId: params.get('sessionId') ?? undefined,
    onSession: nameSession,
    // What was typed meanwhile waits for its own turn.
    onTaken: () => draft.write(textBox.current?.value ?? ''),
    onRefused: (refused) => write(textBox.current?.value.trim() ? (textBox.current?.value ?? '') : refused),
  })
  const { entries, reply, question, ready, notice, restoredFrom } = chat

  const [sentEarly, setSentEarly] = useState(false)
  const begin = useEffectEvent(() => {
    textBox.current?.focus({ preventScroll: true })
    if (sentEarly) send(text)
  })
  useEffect(() => {
    if (ready) begin()
  }, [ready])

  function send(words: string) {
    // Whoever is quicker than the session is heard when it is there.
    if (!ready) return setSentEarly(true)
    if (!chat.send(words)) return
    // Kept in the tab's memory until the server has the words.
    if (text.trim() === words.trim()) setText('')
    toEnd()
  }

  return (
    <div className="flex h-dvh min-h-0 flex-col">
      <ChatHeader
        agent={agent}
        sessionId={chat.sessionId}
        messageCount={entries.length}
        backTo={signedIn ? '/studio/kip' : '/'}
        onNewSession={async () => {
          await chat.beginAnew()
          textBox.current?.focus()
        }}
        newSessionOff={!ready || entries.length === 0}
      />
      <main className="flex min-h-0 flex-1 flex-col">
        <div ref={box} data-scrolls className="relative min-h-0 flex-1 overflow-y-auto [overflow-anchor:none]">
          <div
            ref={content}
            className="mx-auto flex min-h-full w-full max-w-[780px] flex-col gap-[22px] px-6 pt-[22px] pb-2.5 phone:gap-[18px] phone:px-4 phone:pt-4"
          >
            {offline && (
              <Banner tone="warning">
                Offline, showing samples. The server cannot be reached; every answer here is a mock.
              </Banner>
            )}
            {notice && <Banner tone="warning">{notice}</Banner>}
            {ready && restoredFrom && <Separator>Session restored from {spokenDay(restoredFrom)}</Separator>}
            {ready && entries.length === 0 && <Welcome agent={agent} />}
            <ol aria-label={`Conversation with ${agent.name}`} className="flex flex-col gap-[22px] phone:gap-[18px]">
              {entries.map((entry, index) => (
                <ChatMessage
                  key={entry.key}
                  entry={entry}
                  agentName={agent.name}
                  reconnecting={chat.reconnecting && entry === reply}
                  onTryAgain={question && index === entries.length - 1 ? () => send(question) : undefined}
                />
              ))}
            </ol>
          </div>
        </div>
        <SentenceAnnouncer entry={entries.findLast((entry) => entry.sender === 'agent')} />
        <div className="relative shrink-0">
          {hasNew && (
            <Button
              size="small"
              onClick={() => toEnd('smooth')}
              icon={<ArrowDown aria-hidden size={13} />}
              className="absolute start-1/2 -top-9 -translate-x-1/2 animate-fade rounded-full! shadow-e2!"
            >
              New words below
            </Button>
          )}
          <ChatComposer
            agentName={agent.name}
            text={text}
            onTextChange={write}
            onSend={() => send(text)}
            onStop={chat.stop}
            replying={reply !== undefined}
            stopping={chat.stopping}
            maxLength={signedIn ? longest.person : longest.visitor}
            box={textBox}
          />
        </div>
      </main>
    </div>
  )
}

function Separator({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-center gap-3.5 text-small text-muted-foreground before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
      {children}
    </p>
  )
}

function Welcome({ agent }: { agent: PublicAgent }) {
  return (
    <div className="my-auto flex animate-fade flex-col items-center gap-3 pb-10 text-center">
      <AgentSeal agent={agent} size={72} />
      <p className="font-serif text-[22px] leading-[30px] text-balance">Hello, I am {agent.name}. How can I help?</p>
      <p className="max-w-[34em] text-muted-foreground">{agent.purpose}</p>
    </div>
  )
}
