import type { ChatMessage } from '#contract/agents/chat.ts'
import { audioOutput } from '#contract/agents/runs.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import type { Runner } from '../runs/execute/runner.ts'
import { requireSession, resolveAgentId } from './session-rows.ts'

export async function listSessionMessages(
  services: Services,
  runner: Runner,
  { sessionId, agentId }: { sessionId: string; agentId?: string | undefined },
): Promise<ChatMessage[]> {
  const agent = agentId === undefined ? undefined : { id: await resolveAgentId(services, runner, agentId) }
  const session = await requireSession(services, runner, sessionId, agent)
  const rows = await fetchMessageRows(services, session.id)
  const getBranches = createBranchLookup(rows)
  return getPathTo(rows, session.shown_message_id).map((row) => ({
    ...toMessageView(services, row),
    branches: getBranches(row),
  }))
}

function fetchMessageRows(services: Services, sessionId: string) {
  return services.db
    .selectFrom('messages')
    .leftJoin('runs', 'runs.id', 'messages.run_id')
    .select([
      'messages.id',
      'messages.parent_id',
      'messages.position',
      'messages.sender',
      'messages.content',
      'messages.created_at',
      'messages.run_id',
      'runs.status',
      'runs.response',
      'runs.mock_mode',
      'runs.tools',
      'runs.sources',
      'runs.output',
      'runs.as_of',
    ])
    .where('messages.session_id', '=', sessionId)
    .execute()
}

type MessageRow = Awaited<ReturnType<typeof fetchMessageRows>>[number]

function toMessageView(services: Services, row: MessageRow): Omit<ChatMessage, 'branches'> {
  const shared = {
    id: row.id,
    sender: row.sender,
    created_at: toIsoTime(row.created_at),
    run_id: row.run_id,
    mock_mode: row.mock_mode ?? false,
  }
  if (row.sender === 'user')
    return { ...shared, content: row.content, status: 'success', tools: [], sources: [], output: null, as_of: null }
  const liveRun = row.status === 'running' ? services.runs.find(row.run_id ?? '') : undefined
  const audio = audioOutput.safeParse(row.output)
  return {
    ...shared,
    content: row.status === 'running' ? (liveRun?.response ?? row.response ?? '') : row.content,
    status: row.status ?? 'success',
    tools: liveRun?.tools ?? row.tools ?? [],
    sources: liveRun?.sources ?? row.sources ?? [],
    output: audio.success ? audio.data : null,
    as_of: row.as_of,
  }
}

export interface TreeMessage {
  id: string
  parent_id: string | null
  position: number
}

export function getPathTo<Message extends TreeMessage>(messages: Message[], lastId: string | null): Message[] {
  const messageById = new Map(messages.map((message) => [message.id, message]))
  const path: Message[] = []
  for (let current = messageById.get(lastId ?? ''); current; current = messageById.get(current.parent_id ?? ''))
    path.push(current)
  return path.reverse()
}

export function findNewestLeaf(messages: TreeMessage[], id: string): string {
  const descendantIds = new Set([id])
  let newestId = id
  for (const message of messages.toSorted((a, b) => a.position - b.position)) {
    if (!descendantIds.has(message.parent_id ?? '')) continue
    descendantIds.add(message.id)
    newestId = message.id
  }
  return newestId
}

function createBranchLookup(messages: TreeMessage[]): (message: TreeMessage) => string[] {
  const idsByParent = new Map<string | null, string[]>()
  for (const { id, parent_id } of messages.toSorted((a, b) => a.position - b.position))
    idsByParent.set(parent_id, [...(idsByParent.get(parent_id) ?? []), id])
  return ({ id, parent_id }) => idsByParent.get(parent_id) ?? [id]
}
