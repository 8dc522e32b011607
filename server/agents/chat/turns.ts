import { sql } from 'kysely'
import { prepareInsert, prepareQuery, type Write } from '#server/db/database.ts'
import { ForeignKeyViolation, UniqueViolation } from '#server/db/database-errors.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { ModelRequest } from '#server/models/run-model.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-view.ts'
import type { Runner } from '../runs/execute/runner.ts'
import { getPathTo } from './session-messages.ts'
import { buildSessionInsert, deriveSessionName, requireSession } from './session-rows.ts'

const maxHistoryMessages = 40

/** Sessions are loaded whole, so both messages and bytes (content, tool calls, sources) are limited. */
export const sessionLimits = { messages: 4000, bytes: 16 * 1024 * 1024 }

export interface ChatTurnInput {
  input: string
  sessionId?: string | null | undefined
  regenerateOf?: string | null | undefined
  editOf?: string | null | undefined
}

export interface ChatTurn {
  sessionId: string | null
  input: string
  history: ModelRequest['messages']
  /** Creates the session, before the run that references it. */
  precedingWrites: Write[]
  buildMessageWrites(runId: string, now: number): Write[]
}

export async function prepareTurn(
  services: Services,
  runner: Runner,
  agent: AgentRow,
  params: ChatTurnInput,
): Promise<ChatTurn> {
  const { input } = params
  if (!params.sessionId) {
    if (params.regenerateOf || params.editOf) throw badField('sessionId', 'Send the ID of the message’s session.')
    if (!agent.memory_enabled)
      return { sessionId: null, input, history: [], precedingWrites: [], buildMessageWrites: () => [] }
    const { row, insert } = buildSessionInsert(services, runner, agent, deriveSessionName(input))
    const turn = { sessionId: row.id, parentId: null, question: input, position: 1, name: null }
    return {
      sessionId: row.id,
      input,
      history: [],
      precedingWrites: [insert],
      buildMessageWrites: (runId, now) => buildTurnWrites(services, { ...turn, runId, now }),
    }
  }

  const session = await requireSession(services, runner, params.sessionId, agent)
  const messages = await fetchMessageMeta(services, session.id)
  refuseFullSession(messages)
  await refuseWhileReplying(services, session.id)
  const { parentId, regeneratedQuestion } = resolveTurnParent(messages, session.shown_message_id, params)
  const path = getPathTo(messages, regeneratedQuestion ? regeneratedQuestion.parent_id : parentId)
  const pastMessages = selectVisibleTurns(path, runner).slice(-maxHistoryMessages)
  const contents = await fetchMessageContents(services, [
    ...pastMessages,
    ...(regeneratedQuestion ? [regeneratedQuestion] : []),
  ])
  const withdrawnIds = await findWithdrawnAnswers(services, runner, pastMessages)
  const position = Math.max(0, ...messages.map((message) => message.position)) + 1
  return {
    sessionId: session.id,
    input: regeneratedQuestion ? (contents.get(regeneratedQuestion.id) ?? '') : input,
    history: pastMessages.map(({ id, sender }) => ({
      role: sender === 'user' ? 'user' : 'assistant',
      content: withdrawnIds.has(id) ? withdrawnAnswer : (contents.get(id) ?? ''),
    })),
    precedingWrites: [],
    buildMessageWrites: (runId, now) =>
      buildTurnWrites(services, {
        sessionId: session.id,
        parentId,
        question: regeneratedQuestion ? null : input,
        position,
        runId,
        now,
        name: messages.length === 0 ? deriveSessionName(input, session.name) : null,
      }),
  }
}

interface MessageMeta {
  id: string
  parent_id: string | null
  position: number
  sender: 'user' | 'agent'
  /** 1 if the answer has text, even if its run failed. */
  has_answered: number
  bytes: number
  as_of: string | null
  connection_id: string | null
}

/** Must run before the check for a running reply, so that a concurrent turn fails on the position's unique index. */
function fetchMessageMeta(services: Services, sessionId: string): Promise<MessageMeta[]> {
  return messageMetaQuery.all(services.db, { sessionId })
}

const messageMetaQuery = prepareQuery<{ sessionId: string }>()((db, { sessionId }) =>
  db
    .selectFrom('messages')
    .leftJoin('runs', 'runs.id', 'messages.run_id')
    .select(['messages.id', 'messages.parent_id', 'messages.position', 'messages.sender'])
    .select(['runs.as_of', 'runs.connection_id'])
    .select(
      sql<number>`case when runs.status <> 'running' and runs.response <> '' then 1 else 0 end`.as('has_answered'),
    )
    .select(
      sql<number>`octet_length(messages.content)
        + coalesce(octet_length(cast(runs.tools as text)), 0) + coalesce(octet_length(cast(runs.sources as text)), 0)`.as(
        'bytes',
      ),
    )
    .where('messages.session_id', '=', sessionId),
)

function resolveTurnParent(
  messages: MessageMeta[],
  visibleMessageId: string | null,
  params: ChatTurnInput,
): { parentId: string | null; regeneratedQuestion: MessageMeta | null } {
  if (params.regenerateOf && params.editOf)
    throw badField('editOf', 'Regenerate an answer or edit a question, not both.')
  if (params.regenerateOf) {
    const answer = requireMessage(messages, params.regenerateOf)
    if (answer.sender !== 'agent') throw badField('regenerateOf', 'Only an answer can be regenerated.')
    const question = requireMessage(messages, answer.parent_id ?? '')
    return { parentId: question.id, regeneratedQuestion: question }
  }
  if (params.editOf) {
    const question = requireMessage(messages, params.editOf)
    if (question.sender !== 'user') throw badField('editOf', 'Only a question can be edited.')
    return { parentId: question.parent_id, regeneratedQuestion: null }
  }
  return { parentId: visibleMessageId, regeneratedQuestion: null }
}

function refuseFullSession(messages: MessageMeta[]): void {
  const bytes = messages.reduce((sum, message) => sum + message.bytes, 0)
  if (messages.length >= sessionLimits.messages || bytes >= sessionLimits.bytes)
    throw badField('sessionId', 'This conversation is full. Start a new session to continue.')
}

export function requireMessage<Message extends { id: string }>(messages: Message[], id: string): Message {
  const message = messages.find((candidate) => candidate.id === id)
  if (!message) throw new Problem('not-found', { message: 'Message not found' })
  return message
}

/** Answered turns only. A program sees only its own; a run as of a day doesn't see answers that used later memory. */
function selectVisibleTurns(path: MessageMeta[], { person, asOf = null }: Runner): MessageMeta[] {
  const connectionId = person?.connection?.id
  return path.flatMap((message, index) => {
    const answer = path[index + 1]
    if (message.sender !== 'user' || !answer?.has_answered) return []
    if (connectionId !== undefined && answer.connection_id !== connectionId) return []
    if (asOf !== null && (answer.as_of === null || answer.as_of > asOf)) return []
    return [message, answer]
  })
}

async function fetchMessageContents(services: Services, messages: MessageMeta[]): Promise<Map<string, string>> {
  if (messages.length === 0) return new Map()
  const ids = messages.map((message) => message.id)
  const rows = await services.db.selectFrom('messages').select(['id', 'content']).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row.content]))
}

/** Replaces an answer that a model must not see again. */
const withdrawnAnswer = '(This answer used a document that was deleted or can no longer be quoted.)'

/** Ids of the answers whose runs read a document that agents can no longer quote. */
async function findWithdrawnAnswers(
  services: Services,
  { person }: Runner,
  messages: MessageMeta[],
): Promise<Set<string>> {
  const answerIds = messages.filter(({ sender }) => sender === 'agent').map(({ id }) => id)
  if (!person || answerIds.length === 0) return new Set()
  const rows = await services.db
    .selectFrom('messages')
    .innerJoin('runs', 'runs.id', 'messages.run_id')
    .select(['messages.id', 'runs.sources'])
    .where('messages.id', 'in', answerIds)
    .execute()
  const sources = rows.flatMap((row) => row.sources ?? [])
  const withdrawnSources = new Set(await services.keeperMemory.documents.findWithdrawn(services, person.id, sources))
  return new Set(rows.filter((row) => row.sources?.some((source) => withdrawnSources.has(source))).map(({ id }) => id))
}

interface TurnRows {
  sessionId: string
  parentId: string | null
  question: string | null
  position: number
  runId: string
  now: number
  name: string | null
}

function buildTurnWrites(
  services: Services,
  { sessionId, runId, now, parentId, question, position, name }: TurnRows,
): Write[] {
  const { db } = services
  const shared = { session_id: sessionId, run_id: runId, created_at: now }
  const answer = { ...shared, id: services.newId(), sender: 'agent' as const, content: '' }
  const sessionUpdate = db
    .updateTable('chat_sessions')
    .set({ updated_at: now, shown_message_id: answer.id, ...(name !== null && { name }) })
    .where('id', '=', sessionId)
  if (question === null) return [insertMessage.bind(db, { ...answer, position, parent_id: parentId }), sessionUpdate]
  const questionId = services.newId()
  return [
    insertMessage.bind(db, {
      ...shared,
      id: questionId,
      sender: 'user',
      content: question,
      position,
      parent_id: parentId,
    }),
    insertMessage.bind(db, { ...answer, position: position + 1, parent_id: questionId }),
    sessionUpdate,
  ]
}

const insertMessage = prepareInsert('messages')

const findReplyingRun = prepareQuery<{ sessionId: string; now: number }>()((db, { sessionId, now }) =>
  db
    .selectFrom('runs')
    .select('id')
    .where('session_id', '=', sessionId)
    .where('status', '=', 'running')
    .where('lease_until', '>', now),
)

export async function refuseWhileReplying(services: Services, sessionId: string): Promise<void> {
  const replyingRun = await findReplyingRun.first(services.db, { sessionId, now: services.now().getTime() })
  if (replyingRun) throw createReplyInProgressProblem()
}

export function createReplyInProgressProblem(): Problem {
  return new Problem('conflict', {
    message: 'A reply is still being written in this session. Wait for it, or stop it.',
  })
}

/** Two tabs that send concurrently compete for the same position. The session can also be deleted concurrently. */
export async function mapReplyConflict(write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (error instanceof UniqueViolation && error.columns.includes('position')) throw createReplyInProgressProblem()
    if (error instanceof ForeignKeyViolation) throw new Problem('not-found', { message: 'Session not found' })
    throw error
  }
}
