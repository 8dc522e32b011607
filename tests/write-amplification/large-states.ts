import { agents } from '#contract/agents/agents.ts'
import { versions } from '#contract/agents/versions.ts'
import { type Board, boards } from '#contract/boards/boards.ts'
import { echoes } from '#contract/keepers/echoes.ts'
import { journeys } from '#contract/keepers/journeys.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { logbook } from '#contract/keepers/logbook.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { sole } from '#contract/keepers/sole.ts'
import { topics } from '#contract/keepers/topics.ts'
import { voice } from '#contract/keepers/voice.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { createFrameInput } from '#tests/frame-input.ts'
import { createIncompressibleText } from '#tests/long-text.ts'
import type { Actor } from '#tests/test-app.ts'
import type { measureWrites } from './measure-writes.ts'

type RepeatableRequest = Parameters<typeof measureWrites>[2]['request']

/** A large entity and a small, repeatable request about it. */
export interface LargeState {
  name: string
  /** For growth that is reclaimed only after this many requests. */
  minRequests?: number
  setUp(actor: Actor, size: { boardFrames: number }): Promise<RepeatableRequest>
}

const expectSuccess = async (answer: Promise<{ data: unknown; status: number; text: string }>) => {
  const { data, status, text } = await answer
  if (status !== 200) throw new Error(text)
  return data as { id: string }
}

export async function createLargeBoard(actor: Actor, frameCount: number): Promise<Board> {
  const { id } = await expectSuccess(actor.call(boards.create, { body: {} }))
  const frames = Array.from({ length: frameCount }, (_, index) =>
    createFrameInput('unsupported_type', {
      slug: `f${index}`,
      x: (index % 200) * 400,
      content: { text: createIncompressibleText(48_000, index + 1) },
    }),
  )
  return (await expectSuccess(actor.call(boards.save, { params: { id }, body: { frames } }))) as Board
}

const createKeeperParams = async (actor: Actor) => ({ id: (await createTestKeeper(actor)).id })
const isOdd = (n: number) => n % 2 === 1

export const largeStates: LargeState[] = [
  {
    name: 'renaming a board',
    async setUp(actor, { boardFrames }) {
      const { id } = await createLargeBoard(actor, boardFrames)
      return (call, n) => call(boards.save, { params: { id }, body: { name: `N${n}` } })
    },
  },
  {
    name: 'moving one frame of a board',
    async setUp(actor, { boardFrames }) {
      const board = await createLargeBoard(actor, Math.ceil(boardFrames / 10))
      const frames = board.frames.map(({ data: { content, ...data }, ...frame }) => ({ ...frame, data }))
      return (call, n) => {
        const moved = frames.map((frame) => ({ ...frame, data: { ...frame.data, position: { x: n * 20, y: 4000 } } }))
        return call(boards.save, {
          params: { id: board.id },
          body: { frames: [...moved.slice(0, 1), ...frames.slice(1)] },
        })
      }
    },
  },
  {
    name: 'emptying a board and restoring it',
    async setUp(actor, { boardFrames }) {
      const board = await createLargeBoard(actor, boardFrames)
      let { rev } = board
      return async (call, n) => {
        const params = { id: board.id }
        if (isOdd(n)) return call(boards.save, { params, body: { frames: [] } })
        const { data } = await call(boards.restoreVersion, { params: { ...params, rev: String(rev) } })
        rev = (data as Board).rev
      }
    },
  },
  {
    name: 'pinning a moment',
    async setUp(actor) {
      const body = {
        body: createIncompressibleText(199_000),
        topics: Array.from({ length: 30 }, (_, index) => createIncompressibleText(78, index + 5)),
      }
      const { id } = await expectSuccess(actor.call(moments.create, { params: await createKeeperParams(actor), body }))
      return (call, n) => call(moments.update, { params: { id }, body: { pinned: isOdd(n) } })
    },
  },
  {
    name: 'marking a reflection not for agents',
    async setUp(actor) {
      const body = { content: createIncompressibleText(490_000) }
      const { id } = await expectSuccess(
        actor.call(reflections.create, { params: await createKeeperParams(actor), body }),
      )
      return (call, n) => call(reflections.update, { params: { id }, body: { aiVisible: !isOdd(n) } })
    },
  },
  {
    name: 'changing the topic of a card',
    // The search index stores each change as a segment and merges every sixteen.
    minRequests: 25,
    async setUp(actor) {
      const body = { content: createIncompressibleText(100_000) }
      const { id } = await expectSuccess(
        actor.call(reflections.create, { params: await createKeeperParams(actor), body }),
      )
      const card = await expectSuccess(actor.call(reflections.promote, { params: { id }, body: {} }))
      return (call, n) => call(memoryCards.update, { params: { id: card.id }, body: { topic: `T${n}` } })
    },
  },
  {
    name: 'changing the label of a belief',
    async setUp(actor) {
      const body = { agentId: 'default-agent', label: 'Label', belief: createIncompressibleText(19_900) }
      const { id } = await expectSuccess(actor.call(voice.create, { params: await createKeeperParams(actor), body }))
      return (call, n) => call(voice.update, { params: { id }, body: { label: `L${n}` } })
    },
  },
  {
    name: 'postponing an echo',
    async setUp(actor) {
      const body = { message: createIncompressibleText(19_900), sealed: false, triggerDate: '2061-01-01T00:00:00.000Z' }
      const { id } = await expectSuccess(actor.call(echoes.create, { params: await createKeeperParams(actor), body }))
      return (call, n) =>
        call(echoes.update, { params: { id }, body: { triggerDate: `20${60 + n}-01-02T00:00:00.000Z` } })
    },
  },
  {
    name: 'renaming a category of the logbook',
    async setUp(actor) {
      const params = await createKeeperParams(actor)
      const body = { label: 'Label', category: 'C0', occurredOn: '2026-01-01' }
      for (let n = 0; n < 3; n++)
        await expectSuccess(
          actor.call(logbook.create, { params, body: { ...body, entry: createIncompressibleText(49_000, n + 1) } }),
        )
      return (call, n) =>
        call(logbook.renameWord, { params, body: { kind: 'category', from: `C${n - 1}`, to: `C${n}` } })
    },
  },
  {
    name: 'completing a waypoint',
    async setUp(actor) {
      const journey = await expectSuccess(
        actor.call(journeys.create, { params: await createKeeperParams(actor), body: { title: 'J' } }),
      )
      const waypoints = Array.from({ length: 200 }, (_, index) => ({
        title: `Stop ${index}`,
        note: createIncompressibleText(4000, index + 1),
      }))
      const body = { title: 'P', waypoints }
      const path = (await expectSuccess(actor.call(journeys.createPath, { params: { id: journey.id }, body }))) as {
        id: string
        waypoints: { id: string }[]
      }
      // The first history entry contains the list once.
      await actor.call(journeys.updatePath, { params: { id: path.id }, body: { title: 'Q' } })
      return (call, n) => {
        const params = { id: path.id, waypointId: path.waypoints[n]?.id ?? '' }
        return call(journeys.completeWaypoint, { params, body: { done: true } })
      }
    },
  },
  {
    name: 'pinning a topic of 500 names',
    async setUp(actor) {
      const aliases = Array.from({ length: 500 }, (_, index) => createIncompressibleText(70, index + 1))
      const body = { name: 'Topic', note: createIncompressibleText(4900), aliases }
      const { id } = await expectSuccess(actor.call(topics.create, { params: await createKeeperParams(actor), body }))
      await actor.call(topics.update, { params: { id }, body: { pinned: true } })
      return (call, n) => call(topics.update, { params: { id }, body: { pinned: !isOdd(n) } })
    },
  },
  {
    name: 'renaming a keeper',
    async setUp(actor) {
      const { id } = await createTestKeeper(actor, { purpose: createIncompressibleText(1990) })
      return (call, n) => call(keepers.update, { params: { id }, body: { title: `K${n}` } })
    },
  },
  {
    name: 'renaming an agent',
    async setUp(actor) {
      const body = {
        name: 'Agent',
        purpose: createIncompressibleText(7900),
        config: { notes: createIncompressibleText(30_000) },
      }
      const { id } = await expectSuccess(actor.call(agents.create, { body }))
      await actor.call(agents.update, { body: { id, name: 'Agent 0' } as never })
      return (call, n) => call(agents.update, { body: { id, name: `Agent ${n}` } })
    },
  },
  {
    name: 'restoring one of two versions of an agent in turn',
    async setUp(actor) {
      const createConfig = (seed: number) => ({ notes: createIncompressibleText(30_000, seed) })
      const { id } = await expectSuccess(
        actor.call(agents.create, { body: { name: 'A', purpose: 'P', config: createConfig(1) } }),
      )
      await actor.call(agents.update, { body: { id, config: createConfig(2) } as never })
      return (call, n) => call(versions.restore, { params: { agentId: id, version: isOdd(n) ? '1' : '2' } })
    },
  },
  {
    name: 'submitting a sentence to a SOLE of 199, and rejecting it',
    async setUp(actor) {
      const params = await createKeeperParams(actor)
      await submitStory(actor, params)
      // One pending draft is stored completely, so only the growth over many drafts counts.
      return async (call, n) => {
        await call(sole.submitDraft, { params, body: { statements: [{ text: `New sentence ${n}.` }] } })
        await call(sole.reject, { params, body: {} })
      }
    },
  },
  {
    name: 'restoring one of two versions of a SOLE in turn',
    async setUp(actor) {
      const params = await createKeeperParams(actor)
      await submitStory(actor, params)
      await expectSuccess(
        actor.call(sole.submitDraft, { params, body: { statements: [{ text: 'A sentence that is new.' }] } }),
      )
      await expectSuccess(actor.call(sole.approve, { params, body: {} }))
      return (call, n) => call(sole.restore, { params: { ...params, version: isOdd(n) ? '1' : '2' } })
    },
  },
  {
    name: 'sending a short message in a long chat',
    async setUp(actor) {
      const agent = await expectSuccess(actor.call(agents.create, { body: { name: 'Chat', purpose: 'Answers.' } }))
      const sessionInput = { agentId: agent.id, action: 'createSession' }
      const { id: sessionId } = await expectSuccess(actor.call(agents.createSession, { body: sessionInput }))
      const createMessage = (input: string) => ({ action: 'run', agentId: agent.id, sessionId, input })
      for (let n = 1; n <= 4; n++)
        await expectSuccess(actor.call(agents.run, { body: createMessage(createIncompressibleText(60_000, n)) }))
      return (call, n) => call(agents.run, { body: createMessage(`And ${n}?`) })
    },
  },
]

async function submitStory(actor: Actor, params: { id: string }): Promise<void> {
  const statements = Array.from({ length: 199 }, (_, index) => ({
    text: `Statement ${index}: ${createIncompressibleText(1900, index + 1)}`,
  }))
  await expectSuccess(actor.call(sole.submitDraft, { params, body: { statements } }))
  await expectSuccess(actor.call(sole.approve, { params, body: {} }))
}
