import { expect, test } from 'vitest'
import type { ChatMessage } from '#contract/agents/chat.ts'
import {
  apology,
  type ChatAction,
  chatReducer,
  emptyChat,
  failedQuestion,
  fallbackReply,
  replyUnderWay,
} from './chat-reducer.ts'

const after = (...actions: ChatAction[]) => actions.reduce(chatReducer, emptyChat)
const sent: ChatAction = { type: 'sent', key: 'a', text: 'Where is the tin?', at: '2026-11-20T10:00:00Z' }
const message = (over: Partial<ChatMessage>): ChatMessage => ({
  id: 'm',
  sender: 'agent',
  content: '',
  created_at: '2026-11-20T10:00:00Z',
  run_id: 'r',
  status: 'success',
  mock_mode: false,
  branches: ['m'],
  tools: [],
  sources: [],
  output: null,
  ...over,
})

test('an answer grows as it comes and ends with the whole text', () => {
  const begun = after(
    sent,
    { type: 'started', runId: 'r1' },
    { type: 'text', delta: 'Behind ' },
    { type: 'text', delta: 'the' },
  )
  expect(replyUnderWay(begun)).toMatchObject({ content: 'Behind the', runId: 'r1', status: 'running' })
  const ended = chatReducer(begun, { type: 'done', response: 'Behind the flour.', mock: true })
  expect(ended.entries[1]).toMatchObject({ content: 'Behind the flour.', status: 'success', mock: true })
  expect(replyUnderWay(ended)).toBeUndefined()
})

test('an answer without words says that the request was processed', () => {
  expect(after(sent, { type: 'done', response: '', mock: false }).entries[1]?.content).toBe(fallbackReply)
  expect(after({ type: 'loaded', messages: [message({})] }).entries[0]?.content).toBe(fallbackReply)
})

test('a reply still running when the page opens is followed, and a snapshot replaces what stood there', () => {
  const loaded = after({
    type: 'loaded',
    messages: [message({ sender: 'user', content: 'Hi' }), message({ status: 'running', content: 'Be' })],
  })
  expect(replyUnderWay(loaded)?.runId).toBe('r')
  const resumed = [
    { type: 'lost' } as const,
    { type: 'snapshot', runId: 'r', response: 'Behind' } as const,
    { type: 'text', delta: ' it' } as const,
  ].reduce(chatReducer, loaded)
  expect(resumed.reconnecting).toBe(false)
  expect(replyUnderWay(resumed)?.content).toBe('Behind it')
})

test('a failure keeps the words so far and offers the question again; a stop does not', () => {
  const failed = after(sent, { type: 'text', delta: 'Beh' }, { type: 'failed', response: '', stopped: false })
  expect(failed.entries[1]).toMatchObject({ content: 'Beh', status: 'error' })
  expect(failedQuestion(failed)).toBe('Where is the tin?')
  expect(failedQuestion(after(sent, { type: 'failed', response: 'Beh', stopped: true }))).toBeUndefined()
})

test('an apology the server kept is not said twice', () => {
  const kept = after({ type: 'loaded', messages: [message({ status: 'error', content: `Beh\n\n${apology}` })] })
  expect(kept.entries[0]?.content).toBe('Beh')
})

test('what never arrived is taken back, or stays in sight until the next question', () => {
  expect(after(sent, { type: 'refused', keep: false }).entries).toEqual([])
  const kept = after(sent, { type: 'refused', keep: true })
  expect(failedQuestion(kept)).toBe('Where is the tin?')
  expect(chatReducer(kept, { ...sent, key: 'b' }).entries.map((entry) => entry.key)).toEqual(['b-question', 'b-reply'])
})

test('a late event after the end changes nothing', () => {
  const ended = after(sent, { type: 'done', response: 'Yes.', mock: false })
  expect(chatReducer(ended, { type: 'text', delta: ' And' })).toBe(ended)
  expect(chatReducer(ended, { type: 'refused', keep: true })).toBe(ended)
})
