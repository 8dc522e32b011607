import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { boardAssist } from '#contract/boards/board-assist.ts'
import { boards } from '#contract/boards/boards.ts'
import { overlaps } from '#contract/boards/free-positions.ts'
import { keys } from '#contract/keys/keys.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { engines } from '#tests/engines.ts'
import { canaryKeys, createProviderApp, type ProviderApp } from '#tests/provider-app.ts'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'

const purpose = 'A board for the choir: plan the season and talk about the programme'
const getAnswer = (...frames: object[]) => JSON.stringify({ summary: 'For the choir.', frames })

describe.each(engines)('frame proposals without a key, on %s', (engine) => {
  let app: TestApp
  let ada: Actor
  let boardId: string
  beforeAll(async () => {
    app = await createTestApp(engine)
    ada = await app.as('ada')
    boardId = (await ada.call(boards.create, { body: { name: 'Quay Choir' } })).data.id
  })
  afterAll(() => app.close())
  const propose = (actor = ada, text = purpose) =>
    actor.call(boardAssist.propose, { params: { id: boardId }, body: { purpose: text } })

  it('come from a labeled, deterministic mock, and nothing is placed', async () => {
    const previous = (await ada.call(boards.show, { params: { id: boardId } })).data
    const { status, data } = await propose()
    expect({ status, mock_mode: data.mock_mode }).toEqual({ status: 200, mock_mode: true })
    expect(data.summary).toContain('mock')
    expect(data.proposals.map(({ frame }) => frame.data.frameType)).toContain('process_frame')
    const again = (await propose()).data
    const shapes = (input: typeof data) => input.proposals.map(({ frame }) => frame.data)
    expect(shapes(again)).toEqual(shapes(data))
    expect((await ada.call(boards.show, { params: { id: boardId } })).data).toEqual(previous)
    const [log] = (await ada.call(agents.logs)).data.logs
    expect({ origin: log?.origin, slug: log?.agent?.slug, input: log?.input }).toEqual({
      origin: 'board-assist',
      slug: 'platform-agent',
      input: purpose,
    })
  })

  it('can be saved unchanged and fit next to existing frames', async () => {
    const { data } = await propose()
    const board = (await ada.call(boards.show, { params: { id: boardId } })).data
    for (const { frame } of data.proposals)
      for (const other of board.frames)
        expect(
          overlaps({ ...frame.data.position, ...frame.data.size }, { ...other.data.position, ...other.data.size }),
        ).toBe(false)
    const frames = [...board.frames, ...data.proposals.map(({ frame }) => frame)]
    const saved = await ada.call(boards.save, { params: { id: boardId }, body: { frames }, ifMatch: board.rev })
    expect({ status: saved.status, frameCount: saved.data.frames?.length }).toEqual({
      status: 200,
      frameCount: frames.length,
    })
  })

  it('stream as a run and can be fetched by its id with stable ids', async () => {
    const { events } = await ada.stream(boardAssist.propose, { params: { id: boardId }, body: { purpose } })
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { mock_mode: true, session_id: null } })
    const runId = String(events[0]?.data.run_id)
    const show = () => ada.call(boardAssist.proposals, { params: { id: boardId, runId } })
    const first = await show()
    expect(first.data).toMatchObject({ run_id: runId, mock_mode: true })
    expect((await show()).data).toEqual(first.data)
    const ids = first.data.proposals.map(({ frame }) => frame.id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/)
  })

  it("are private: others' boards and runs answer like unknown ids", async () => {
    const ben = await app.as('ben')
    const ownBoard = (await ben.call(boards.create, { body: {} })).data.id
    const { data } = await propose()
    const unknown = await propose(ben)
    const random = await ben.call(boardAssist.propose, { params: { id: 'x'.repeat(32) }, body: { purpose } })
    expect({ unknownStatus: unknown.status, randomStatus: random.status }).toEqual({
      unknownStatus: 404,
      randomStatus: 404,
    })
    expect(unknown.body.error).toBe(random.body.error)
    const run = await ben.call(boardAssist.proposals, { params: { id: ownBoard, runId: data.run_id } })
    expect({ status: run.status, error: run.body.error }).toEqual({ status: 404, error: 'Run not found' })
    const other = await ada.call(agents.run, { body: { agentId: 'kip', input: getAnswer() } })
    const unaskedRun = await ada.call(boardAssist.proposals, { params: { id: boardId, runId: other.data.run_id } })
    expect(unaskedRun.status).toBe(404)
  })

  it('require a purpose', async () => {
    const answer = await propose(ada, ' a ')
    expect({ status: answer.status, fields: answer.body.fields }).toEqual({
      status: 400,
      fields: { purpose: 'Say what the board is for.' },
    })
  })
})

describe.each(engines)('frame proposals by a model, on %s', (engine) => {
  let app: ProviderApp
  let ada: Actor
  let boardId: string
  let answer = ''
  beforeAll(async () => {
    app = await createProviderApp(engine, { answer: () => answer })
    ada = await app.as('ada')
    await ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })
    boardId = (await ada.call(boards.create, { body: { name: 'Canary choir', description: 'For the canary season.' } }))
      .data.id
  })
  afterAll(() => app.close())
  beforeEach(() => resetBreakers())
  const propose = (text = purpose) =>
    ada.call(boardAssist.propose, { params: { id: boardId }, body: { purpose: text } })

  it('come with reasons, without unusable ones, which are counted', async () => {
    answer = `Here you go:\n\`\`\`json\n${getAnswer(
      { type: 'process_frame', name: 'Season', why: 'It has steps.', content: { steps: ['Choose', 'Sing'] } },
      { type: 'spaceship', name: 'Away' },
      { type: 'dialog', name: 'Programme', pattern: 'form' },
    )}\n\`\`\``
    const { status, data } = await propose()
    expect(status).toBe(200)
    expect(data).toMatchObject({ mock_mode: false, summary: 'For the choir.', left_out: 2 })
    expect(data.proposals).toMatchObject([
      {
        why: 'It has steps.',
        frame: {
          data: {
            frameType: 'process_frame',
            name: 'Season',
            content: { steps: [{ title: 'Choose', state: 'todo' }, { title: 'Sing' }] },
          },
          FrameConfig: { engagementMode: 'wizard', frameType: 'process_frame' },
        },
      },
    ])
  })

  it("are requested with types and names, but not with the frames' content", async () => {
    const board = (await ada.call(boards.show, { params: { id: boardId } })).data
    const [cover] = board.frames
    if (!cover) throw new Error('a new board has a cover')
    const data = {
      ...cover.data,
      name: 'Harbour picture',
      content: { ...cover.data.content, caption: 'canary-caption' },
    }
    const saved = await ada.call(boards.save, {
      params: { id: boardId },
      body: { frames: [{ ...cover, data }, ...board.frames.slice(1)] },
      ifMatch: board.rev,
    })
    expect(saved.status).toBe(200)
    answer = getAnswer({ type: 'dialog', name: 'Talk' })
    await propose()
    const sent = JSON.stringify(app.fakes.openai.requests.at(-1)?.body)
    for (const context of [
      'process_frame',
      'Steps in order, each marked to do',
      'Harbour picture',
      'Canary choir',
      'canary season',
      purpose,
    ])
      expect(sent).toContain(context)
    expect(sent).not.toContain('canary-caption')
    expect(sent).not.toContain('journey_map')
  })

  it.each([
    ['words instead of frames', 'I would add a dialog.', 'read as frames'],
    ['nothing that fits', getAnswer({ type: 'spaceship', name: 'Away' }), 'nothing that can go on this board'],
  ])('%s: answers 422 with the run', async (_case, input, text) => {
    answer = input
    const { status, body } = await propose()
    expect({ status, error: body.error }).toEqual({ status: 422, error: expect.stringContaining(text) })
    const runId = String((body.data as unknown as { run_id: string }).run_id)
    const again = await ada.call(boardAssist.proposals, { params: { id: boardId, runId } })
    expect({ status: again.status, error: again.body.error }).toEqual({ status: 422, error: body.error })
  })

  it.each([
    ['status-401', 502],
    ['finish-content-filter', 422],
    ['status-500', 502],
  ])('a provider failure (%s) answers %i with the run and no proposals', async (fault, expected) => {
    const { status, body } = await propose(`For the choir [[fault:${fault}]]`)
    expect(status).toBe(expected)
    expect(body.data).toMatchObject({ run_id: expect.any(String) })
    expect(body.data).not.toHaveProperty('proposals')
  })

  it('a running run has no proposals yet, and a stopped one says so', async () => {
    const silent = { purpose: 'For the choir [[fault:silent-mid]]' }
    const outcome = ada.stream(boardAssist.propose, { params: { id: boardId }, body: silent })
    await expect.poll(() => app.services.runs.list().length).toBe(1)
    const runId = app.services.runs.list()[0]?.id ?? ''
    const early = await ada.call(boardAssist.proposals, { params: { id: boardId, runId } })
    expect({ status: early.status, error: early.body.error }).toEqual({
      status: 409,
      error: 'The agent is still working on this.',
    })
    await ada.call(runs.stop, { params: { runId } })
    expect((await outcome).events.at(-1)).toMatchObject({ event: 'error', data: { code: 'stopped' } })
    const late = await ada.call(boardAssist.proposals, { params: { id: boardId, runId } })
    expect({ status: late.status, late: late.body.data }).toEqual({ status: 422, late: { run_id: runId } })
  })
})
