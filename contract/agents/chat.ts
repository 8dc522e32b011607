import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { emptyResponse } from '../keepers/keeper-fields.ts'
import { displayLine, oneLine } from '../one-line-text.ts'
import { runOutput, runSource, runStatuses } from './runs.ts'
import { toolCall } from './tools.ts'

export const chatSession = z.object({
  id: z.string(),
  agent: z.object({ id: z.string(), name: displayLine, slug: z.string() }),
  user: z.nullable(z.object({ id: z.string(), name: z.nullable(displayLine) })),
  session_name: displayLine,
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
  status: z.enum(runStatuses),
  mock_mode: z.boolean(),
  /** IDs of all sibling messages at this position in any branch, including this one, oldest first. */
  branches: z.array(z.string()),
  tools: z.array(toolCall),
  sources: z.array(runSource),
  output: z.nullable(runOutput),
  /** Local day; the answer used memory as it was then. */
  as_of: z.nullable(z.string()),
})
export type ChatMessage = z.infer<typeof chatMessage>

const sessionParams = z.object({ sessionId: z.string().check(z.maxLength(64)) })

export const chat = {
  rename: defineEndpoint('PATCH /api/kip/sessions/:sessionId', {
    summary: 'Rename one of your chat sessions',
    access: 'public',
    params: sessionParams,
    body: z.object({
      sessionName: oneLine({ max: 120, min: 1, message: 'Enter a name.' }),
    }),
    response: chatSession,
  }),
  remove: defineEndpoint('DELETE /api/kip/sessions/:sessionId', {
    summary: 'Delete one of your chat sessions with its messages',
    access: 'public',
    params: sessionParams,
    response: emptyResponse,
  }),
  showBranch: defineEndpoint('POST /api/kip/sessions/:sessionId/branch', {
    summary: 'Open the branch that contains a message and return its messages, oldest first',
    access: 'public',
    params: sessionParams,
    body: z.object({ messageId: z.string().check(z.maxLength(64)) }),
    response: z.array(chatMessage),
  }),
}
