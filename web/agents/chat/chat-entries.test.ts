import { expect, test } from 'vitest'
import { apology, emptyAnswer } from '#contract/agents/answer-texts.ts'
import type { ChatMessage } from '#contract/agents/chat.ts'
import { createRunView, type RunView } from '../runs/run-view.ts'
import {
  type ChatAction,
  type ChatState,
  chatReducer,
  emptyChat,
  getFailedTurn,
  getRunningReply,
} from './chat-entries.ts'

const reduceFrom = (state: ChatState, ...actions: ChatAction[]) => actions.reduce(chatReducer, state)
const reduceFromEmpty = (...actions: ChatAction[]) => reduceFrom(emptyChat, ...actions)
const sent: ChatAction = { type: 'sent', key: 'a', text: 'Where is the tin?', at: '2026-11-20T10:00:00Z' }
const followed = (changes: Partial<RunView>): ChatAction => ({
  type: 'followed',
  view: { ...createRunView(), ...changes },
})
const message = (changes: Partial<ChatMessage>): ChatMessage => ({
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
  as_of: null,
  ...changes,
})

const load = (...messages: ChatMessage[]): ChatAction => ({ type: 'loaded', messages })
const refused = (keepsQuestion: boolean): ChatAction => ({ type: 'refused', keepsQuestion })
const contents = ({ entries }: ChatState) => entries.map(({ content }) => content)

test('an answer grows with its deltas and ends with the full text', () => {
  const startedState = reduceFromEmpty(
    sent,
    followed({ runId: 'r1' }),
    followed({ runId: 'r1', text: 'Behind ' }),
    followed({ runId: 'r1', text: 'Behind the' }),
  )
  expect(getRunningReply(startedState)).toMatchObject({ content: 'Behind the', runId: 'r1', status: 'running' })
  const finishedState = chatReducer(
    startedState,
    followed({ runId: 'r1', status: 'success', text: 'Behind the flour.', mock: true }),
  )
  expect(finishedState.entries[1]).toMatchObject({ content: 'Behind the flour.', status: 'success', mock: true })
  expect(getRunningReply(finishedState)).toBeUndefined()
})

test('only a successful answer without text or audio shows the placeholder', () => {
  const audio = { type: 'audio', mime: 'audio/mpeg', url: '/api/kip/runs/r/audio', bytes: 9 } as const
  for (const response of ['', ' \n\n']) {
    expect(reduceFromEmpty(sent, followed({ status: 'success', text: response })).entries[1]?.content).toBe(emptyAnswer)
    expect(reduceFromEmpty(load(message({ content: response }))).entries[0]?.content).toBe(emptyAnswer)
    const spoken = reduceFromEmpty(sent, followed({ status: 'success', text: response, output: audio }))
    expect(spoken.entries[1]?.content).not.toBe(emptyAnswer)
  }
  expect(reduceFromEmpty(load(message({ output: audio }))).entries[0]?.content).toBe('')
  const failed = reduceFromEmpty(sent, followed({ status: 'error' }))
  expect(failed.entries[1]).toMatchObject({ content: '', status: 'error' })
  expect(reduceFromEmpty(load(message({ status: 'error' }))).entries[0]?.content).toBe('')
})

test('reasoning stays with the answer until the page reloads', () => {
  const thought: ChatAction[] = [
    sent,
    followed({ runId: 'r', reasoning: 'They greet ' }),
    followed({ runId: 'r', reasoning: 'They greet me.', text: 'Good morn' }),
    followed({ runId: 'r', reasoning: 'They greet me.', text: 'Good morning.', status: 'success' }),
  ]
  const answered = reduceFromEmpty(...thought)
  expect(answered.entries[1]).toMatchObject({ content: 'Good morning.', reasoning: 'They greet me.' })
  const storedMessages = [
    message({ id: 'q', sender: 'user', content: 'Where is the tin?' }),
    message({ id: 'a', content: 'Good morning.' }),
  ]
  const refreshed = reduceFrom(answered, load(...storedMessages))
  expect(refreshed.entries[1]).toMatchObject({ id: 'a', content: 'Good morning.', reasoning: 'They greet me.' })
  expect(reduceFromEmpty(load(...storedMessages)).entries[1]?.reasoning, 'no one stored the message').toBe('')
  expect(reduceFrom(answered, followed({ reasoning: ' Late.' })), 'after the end').toBe(answered)
})

test('a running reply is followed, and a snapshot replaces its text', () => {
  const question = message({ sender: 'user', content: 'Hi' })
  const running = reduceFromEmpty(load(question, message({ status: 'running', content: 'Be' })))
  expect(getRunningReply(running)?.runId).toBe('r')
  const lost = reduceFrom(running, followed({ runId: 'r', reconnecting: true }))
  const resumed = reduceFrom(lost, followed({ runId: 'r', text: 'Behind it' }))
  expect(lost.reconnecting).toBe(true)
  expect(contents(reduceFrom(running, followed({ runId: 'r' }))), 'until the snapshot').toEqual(['Hi', 'Be'])
  expect(resumed.reconnecting).toBe(false)
  expect(getRunningReply(resumed)?.content).toBe('Behind it')
})

test('a failure keeps the text so far and allows a retry; a stop does not', () => {
  const failed = reduceFromEmpty(sent, followed({ text: 'Beh' }), followed({ status: 'error' }))
  expect(failed.entries[1]).toMatchObject({ content: 'Beh', status: 'error' })
  expect(getFailedTurn(failed)?.question.content).toBe('Where is the tin?')
  expect(getFailedTurn(reduceFromEmpty(sent, followed({ status: 'stopped', text: 'Beh' })))).toBeUndefined()
})

test.each([
  ['error', `Beh\n\n${apology}`, 'Beh'],
  ['stopped', apology, ''],
] as const)('the stored apology of an answer with status %s is not shown twice', (status, content, visibleContent) => {
  const { entries } = reduceFromEmpty(load(message({ status, content })))
  expect(entries[0]).toMatchObject({ content: visibleContent, status })
})

test('a refused message is removed or stays until the next question', () => {
  expect(reduceFromEmpty(sent, refused(false)).entries).toEqual([])
  const storedMessages = reduceFromEmpty(sent, refused(true))
  expect(getFailedTurn(storedMessages)?.question.content).toBe('Where is the tin?')
  expect(chatReducer(storedMessages, { ...sent, key: 'b' }).entries.map((entry) => entry.key)).toEqual([
    'b-question',
    'b-reply',
  ])
})

test('a late event after the end changes nothing', () => {
  const finishedState = reduceFromEmpty(sent, followed({ status: 'success', text: 'Yes.' }))
  expect(chatReducer(finishedState, followed({ text: 'Yes. And' }))).toBe(finishedState)
  expect(chatReducer(finishedState, refused(true))).toBe(finishedState)
})

const serverMessages = [
  message({ id: 'q1', sender: 'user', content: 'One', run_id: 'r1', branches: ['q1'] }),
  message({ id: 'a1', content: 'First', run_id: 'r1', branches: ['a1'] }),
  message({ id: 'q2', sender: 'user', content: 'Two', run_id: 'r2', branches: ['q2'] }),
  message({ id: 'a2', content: 'Second', run_id: 'r2', branches: ['a2'] }),
]
const serverContents = ['One', 'First', 'Two', 'Second']
const loaded = load(...serverMessages)

test('a regenerated answer replaces the old one, which returns on refusal', () => {
  const regenerated = reduceFromEmpty(loaded, { type: 'regenerated', key: 'k', at: '2026', answerId: 'a2' })
  expect(contents(regenerated)).toEqual(['One', 'First', 'Two', ''])
  expect(getRunningReply(regenerated)).toBeDefined()
  for (const keepsQuestion of [true, false])
    expect(contents(reduceFrom(regenerated, refused(keepsQuestion)))).toEqual(serverContents)
  const started = reduceFrom(regenerated, followed({ runId: 'r3' }))
  expect(started.entries.map(({ runId }) => runId)).toEqual(['r1', 'r1', 'r2', 'r3'])
})

test('an edited question hides later messages, which return on refusal', () => {
  const edited = reduceFromEmpty(loaded, { type: 'sent', key: 'k', text: 'Uno', at: '2026', replacedKey: 'q1' })
  expect(contents(edited)).toEqual(['Uno', ''])
  expect(contents(reduceFrom(edited, refused(true)))).toEqual(serverContents)
})

test('messages keep their keys when the server ids arrive', () => {
  const answered = reduceFromEmpty(
    { ...sent, text: 'One' } as ChatAction,
    followed({ runId: 'r1' }),
    followed({ runId: 'r1', status: 'success', text: 'First' }),
  )
  const refreshed = reduceFrom(answered, load(...serverMessages.slice(0, 2)))
  expect(refreshed.entries.map(({ key }) => key)).toEqual(answered.entries.map(({ key }) => key))
  expect(refreshed.entries.map(({ id }) => id)).toEqual(['q1', 'a1'])
})

test('an outdated reload does not shorten an answer being written', () => {
  const writing = reduceFromEmpty(loaded, { ...sent, key: 'k' }, followed({ runId: 'r3', text: 'Beh' }))
  expect(contents(reduceFrom(writing, loaded))).toEqual([...serverContents, 'Where is the tin?', 'Beh'])
  const refreshedState = reduceFrom(writing, {
    type: 'loaded',
    messages: [
      ...serverMessages,
      message({ id: 'q3', sender: 'user', content: 'Where is the tin?', run_id: 'r3' }),
      message({ id: 'a3', content: 'B', run_id: 'r3', status: 'running' }),
    ],
  })
  expect(refreshedState.entries.at(-1)).toMatchObject({ id: 'a3', content: 'Beh', status: 'running' })
  expect(contents(reduceFrom(refreshedState, followed({ runId: 'r3', text: 'Behind' }))).at(-1)).toBe('Behind')
})

test('an unsent question stays visible after a reload', () => {
  const unsent = reduceFromEmpty(loaded, sent, refused(true))
  expect(contents(reduceFrom(unsent, loaded))).toEqual([...serverContents, 'Where is the tin?', ''])
})

test('a question the server has after all is shown with its growing answer', () => {
  const unsent = reduceFromEmpty(loaded, sent, refused(true))
  const question = message({ id: 'q3', sender: 'user', content: 'Where is the tin?', run_id: 'r3' })
  const arrived = [...serverMessages, question, message({ id: 'a3', content: 'B', run_id: 'r3', status: 'running' })]
  const visibleState = reduceFrom(unsent, load(...arrived), followed({ runId: 'r3', text: 'Beh' }))
  expect(contents(visibleState)).toEqual([...serverContents, 'Where is the tin?', 'Beh'])
  expect(getFailedTurn(visibleState)).toBeUndefined()
})

test('an unsent question with repeated text stays behind a growing answer', () => {
  const unsent = reduceFromEmpty(loaded, { ...sent, text: 'Two' } as ChatAction, {
    type: 'refused',
    keepsQuestion: true,
  })
  expect(contents(reduceFrom(unsent, loaded))).toEqual([...serverContents, 'Two', ''])
  const otherMessages = [
    ...serverMessages,
    message({ id: 'q3', sender: 'user', content: 'Three', run_id: 'r3' }),
    message({ id: 'a3', content: 'Th', run_id: 'r3', status: 'running' }),
  ]
  const visibleState = reduceFrom(unsent, load(...otherMessages), followed({ runId: 'r3', text: 'Third' }))
  expect(contents(visibleState).slice(4)).toEqual(['Three', 'Third', 'Two', ''])
  expect(getFailedTurn(visibleState), 'regenerating waits until the answer ends').toBeUndefined()
})

test('reloading messages without run ids keeps a question being sent', () => {
  const migrated = serverMessages.map((serverMessage) => ({ ...serverMessage, run_id: null }))
  const sending = reduceFrom(reduceFromEmpty(load(...migrated)), sent)
  expect(contents(reduceFrom(sending, load(...migrated))).slice(4)).toEqual(['Where is the tin?', ''])
})
