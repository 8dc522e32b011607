import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { oneLine, shownLine } from '../one-line-text.ts'
import { runOutput, runSource, runStatuses } from './runs.ts'
import { toolCall } from './tools.ts'

export const chatSession = z.object({
  id: z.string(),
  agent: z.object({ id: z.string(), name: shownLine, slug: z.string() }),
  user: z.nullable(z.object({ id: z.string(), name: z.nullable(shownLine) })),
  session_name: shownLine,
  message_count: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type ChatSession = z.infer<typeof chatSession>

export const chatMessage = z.object({
  id: z.string(),
  sender: z.enum(['user', 'agent']),
  content: z.string(),
  created_at: z.string(),
  run_id: z.nullable(z.string()),
  /** `running` while the answer is still being written. */
  status: z.enum(runStatuses),
  mock_mode: z.boolean(),
  /** The ids of all messages that stand at this place in some branch, this one among them, oldest first. */
  branches: z.array(z.string()),
  /** Of an answer: what the agent did, what it can be traced to, and its recording if it spoke. */
  tools: z.array(toolCall),
  sources: z.array(runSource),
  output: z.nullable(runOutput),
})
export type ChatMessage = z.infer<typeof chatMessage>

const sessionParams = z.object({ sessionId: z.string().check(z.maxLength(64)) })

export const chat = {
  rename: endpoint('PATCH /api/kip/sessions/:sessionId', {
    summary: 'Rename one’s own chat session',
    access: 'public',
    params: sessionParams,
    body: z.object({
      sessionName: oneLine({ max: 120, min: 1, message: 'Enter a name.' }),
    }),
    returns: chatSession,
  }),
  remove: endpoint('DELETE /api/kip/sessions/:sessionId', {
    summary: 'Delete one’s own chat session and what was said in it',
    access: 'public',
    params: sessionParams,
    returns: z.nullable(z.object({})),
  }),
  showBranch: endpoint('POST /api/kip/sessions/:sessionId/branch', {
    summary: 'Open the branch of a session that a message stands in; answers its messages, oldest first',
    access: 'public',
    params: sessionParams,
    body: z.object({ messageId: z.string().check(z.maxLength(64)) }),
    returns: z.array(chatMessage),
  }),
}
