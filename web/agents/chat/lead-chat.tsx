import { useQuery } from '@tanstack/react-query'
import { ArrowDown } from 'lucide-react'
import { lazy, type ReactNode, Suspense, use, useCallback, useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type Agent, agents, type PublicAgent } from '#contract/agents/agents.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { SkipLink } from '#web/ui/controls/skip-link.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { AgentSeal } from '../agent-seal.tsx'
import { formatRelativeDay } from '../runs/log-texts.ts'
import { ChatComposer } from './chat-composer.tsx'
import type { ChatEntry } from './chat-entries.ts'
import { ChatHeader } from './chat-header.tsx'
import { ChatMessage } from './chat-message.tsx'
import { createStarters } from './chat-starters.ts'
import { OnCustomHostContext } from './on-custom-host.ts'
import { useReadAloud } from './read-aloud.ts'
import { SentenceAnnouncer } from './sentence-announcer.tsx'
import { useConversation } from './use-conversation.ts'

const SessionsDrawer = lazy(() =>
  import('./sessions-drawer.tsx').then((module) => ({ default: module.SessionsDrawer })),
)
const GoldenDialog = lazy(() => import('./golden-dialog.tsx').then((module) => ({ default: module.GoldenDialog })))
const AsOfMenu = lazy(() => import('./as-of.tsx'))
const Toaster = lazy(() => import('#web/ui/overlays/toaster.tsx').then((module) => ({ default: module.Toaster })))

const memoryTools: Agent['tools'] = ['search_memory', 'read_sole', 'list_moments', 'search_documents', 'run_agent']
const readsMemory = ({ context_scope, tools }: Agent) =>
  context_scope === 'keeper' || tools.some((tool) => memoryTools.includes(tool))

export interface LeadChatProps {
  agent: PublicAgent
  signedIn: boolean
  offline: boolean
}

const maxMessageLengths = { visitor: 4000, person: 100_000 }

export function LeadChat({ agent, signedIn, offline }: LeadChatProps) {
  const isOnCustomHost = use(OnCustomHostContext)
  const [params, setParams] = useSearchParams()
  const readAloud = useReadAloud()
  const [showsSessions, setShowsSessions] = useState(false)
  const [asOf, setAsOf] = useState<string | null>(null)
  const [goldenAnswer, setGoldenAnswer] = useState<ChatEntry>()
  const maxLength = signedIn ? maxMessageLengths.person : maxMessageLengths.visitor

  const setSessionInUrl = useCallback(
    (sessionId: string | null) => {
      setParams(
        (previousParams) => {
          const next = new URLSearchParams(previousParams)
          if (sessionId) next.set('sessionId', sessionId)
          else next.delete('sessionId')
          return next
        },
        { replace: true },
      )
    },
    [setParams],
  )
  const chat = useConversation({
    agent,
    signedIn,
    offline,
    asOf,
    requestedId: params.get('sessionId') ?? undefined,
    onSessionChange: setSessionInUrl,
    onTurnStart: readAloud.silence,
    onReadAloud: (entry) => readAloud.toggle(entry.key, entry.content),
    onCreateGolden: setGoldenAnswer,
  })
  const { composer, edit, textBox, entries, reply, ready, notice, restoredAt, scrollToEnd } = chat

  const { data: agentDetails } = useQuery({
    queryKey: ['agents', 'one', agent.id],
    queryFn: ({ signal }) => call(agents.byId, { query: { id: agent.id }, signal }),
    enabled: signedIn && !offline,
  })
  const canEditAgent = agentDetails?.may.edit ?? false

  const focusOnceReady = useEffectEvent(() => {
    // Keep the focus if it was moved by keyboard while the session loaded.
    if (document.activeElement === document.body) chat.focusTextBox()
  })
  useEffect(() => {
    if (ready) focusOnceReady()
  }, [ready])

  const { readingKey, silence } = readAloud
  const isReadEntryRemoved = readingKey !== undefined && !entries.some(({ key }) => key === readingKey)
  // Stop reading an answer whose Stop button is gone.
  useEffect(() => {
    if (isReadEntryRemoved) silence()
  }, [isReadEntryRemoved, silence])

  const startPath = signedIn ? '/studio/kip' : '/'
  const hasSession = chat.sessionId !== null && !offline
  const idleBranching = hasSession ? 'on' : 'off'
  const branching = hasSession && reply ? 'waits' : idleBranching
  function getSpeech({ key }: ChatEntry) {
    if (!readAloud.isAvailable) return 'off'
    return readingKey === key ? 'on' : 'silent'
  }
  const starters = createStarters({
    purpose: agent.purpose || agent.config.tagline || '',
    // Only signed-in people get all fields of the agent.
    tools: (agent as Partial<Agent>).tools,
  })
  // A suggestion never replaces typed text.
  const canSuggest = composer.text === '' || starters.includes(composer.text)

  return (
    <div className="flex h-dvh min-h-0 flex-col">
      <SkipLink />
      <ChatHeader
        agent={agent}
        sessionId={chat.sessionId}
        messageCount={entries.filter(({ status }) => status !== 'unsent').length}
        backTo={isOnCustomHost ? null : startPath}
        onNewSession={async () => {
          readAloud.silence()
          await chat.startNewSession()
          textBox.current?.focus()
        }}
        newSessionDisabled={!ready || entries.length === 0}
        onShowSessions={agent.memory_enabled && !offline ? () => setShowsSessions(true) : undefined}
      />
      <main id="main" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-hidden">
        <section
          ref={chat.scrollRef}
          data-scrolls
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling must work by keyboard
          tabIndex={0}
          aria-label="Conversation"
          className="relative min-h-36 flex-1 overflow-y-auto [overflow-anchor:none] focus-visible:-outline-offset-2"
        >
          <div
            ref={chat.contentRef}
            className="mx-auto flex min-h-full w-full max-w-[780px] flex-col gap-[22px] px-6 pt-[22px] pb-2.5 phone:gap-[18px] phone:px-4 phone:pt-4"
          >
            {offline && (
              <Banner tone="warning">
                Offline, showing samples. The server can’t be reached; every answer here is a mock.
              </Banner>
            )}
            {ready && restoredAt && (
              <ChatSeparator>
                Continued from {formatRelativeDay(restoredAt).replace(/^today$/, 'earlier today')}
              </ChatSeparator>
            )}
            {ready && entries.length === 0 && (
              <ChatWelcome agent={agent}>
                {canSuggest && (
                  <ChatStarters
                    starters={starters}
                    onChoose={(starter) => {
                      composer.write(starter)
                      chat.focusTextBox()
                    }}
                  />
                )}
              </ChatWelcome>
            )}
            <ol aria-label={`Conversation with ${agent.name}`} className="flex flex-col gap-[22px] phone:gap-[18px]">
              {entries.map((entry) => (
                <ChatMessage
                  key={entry.key}
                  {...chat.getMessageProps(entry)}
                  agent={agent}
                  branching={branching}
                  maxLength={maxLength}
                  signedIn={signedIn && !offline}
                  canEditAgent={canEditAgent}
                  speech={getSpeech(entry)}
                />
              ))}
            </ol>
          </div>
        </section>
        <SentenceAnnouncer entry={entries.findLast((entry) => entry.sender === 'agent')} />
        <div className="relative shrink-0">
          {chat.hasNewContent && !edit.openEdit && (
            <Button
              size="small"
              onClick={() => scrollToEnd('smooth')}
              icon={<ArrowDown aria-hidden size={13} />}
              className="absolute start-1/2 -top-9 -translate-x-1/2 animate-fade rounded-full! shadow-e2!"
            >
              New messages below
            </Button>
          )}
          {notice && (
            <div className="mx-auto w-full max-w-[780px] px-6 pt-2 phone:px-3">
              <Banner tone="warning" onDismiss={chat.dismissNotice}>
                {notice}
              </Banner>
            </div>
          )}
          <ChatComposer
            agentName={agent.name}
            text={composer.text}
            onTextChange={composer.write}
            onSend={chat.send}
            onStop={chat.stop}
            replying={reply !== undefined}
            stopping={chat.stopping}
            maxLength={maxLength}
            hasSources={entries.some(({ sources }) => sources.length > 0)}
            textareaRef={textBox}
            options={
              agentDetails &&
              readsMemory(agentDetails) &&
              !offline && (
                <Suspense fallback={null}>
                  <AsOfMenu agentName={agent.name} value={asOf} onChange={setAsOf} />
                </Suspense>
              )
            }
          />
        </div>
      </main>
      <Suspense fallback={null}>
        {showsSessions && (
          <SessionsDrawer
            agent={agent}
            openSessionId={chat.sessionId}
            signedIn={signedIn}
            onClose={() => setShowsSessions(false)}
            onOpenSession={(id) => {
              readAloud.silence()
              void chat.openSession(id).then(() => scrollToEnd())
            }}
            onRemoveSession={chat.removeSession}
          />
        )}
        {goldenAnswer && (
          <GoldenDialog
            agentId={agent.id}
            question={chat.findQuestion(goldenAnswer)?.content ?? ''}
            answer={goldenAnswer.content}
            runId={goldenAnswer.runId}
            onClose={() => setGoldenAnswer(undefined)}
          />
        )}
        {canEditAgent && <Toaster />}
      </Suspense>
    </div>
  )
}

function ChatSeparator({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-center gap-3.5 text-small text-muted-foreground before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
      {children}
    </p>
  )
}

function ChatWelcome({ agent, children }: { agent: PublicAgent; children: ReactNode }) {
  return (
    <div className="my-auto flex animate-fade flex-col items-center gap-3 pb-10 text-center">
      <AgentSeal agent={agent} size={72} />
      <p className="font-serif text-[1.375rem] leading-[1.875rem] text-balance">
        Hello, I am <bdi>{agent.name}</bdi>. How can I help?
      </p>
      <p className="max-w-[34em] text-muted-foreground">{agent.config.tagline || agent.purpose}</p>
      {children}
    </div>
  )
}

interface ChatStartersProps {
  starters: readonly string[]
  onChoose: (starter: string) => void
}

function ChatStarters({ starters, onChoose }: ChatStartersProps) {
  return (
    <ul aria-label="Ways to start" className="mt-2 flex flex-wrap justify-center gap-2">
      {starters.map((starter) => (
        <li key={starter}>
          <button
            type="button"
            onClick={() => onChoose(starter)}
            className="min-h-9 rounded-full border border-border bg-card px-4 py-1.5 text-start text-ui transition-colors duration-120 hover:border-input/60 hover:bg-muted phone:min-h-10"
          >
            {starter.endsWith(' ') ? `${starter.trimEnd()} …` : starter}
          </button>
        </li>
      ))}
    </ul>
  )
}
