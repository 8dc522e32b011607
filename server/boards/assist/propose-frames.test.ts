import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { boardAssist } from '#contract/boards/board-assist.ts'
import { boards, frameData } from '#contract/boards/boards.ts'
import { acceptsFrame, getFrameLibrary } from '#contract/boards/frame-types.ts'
import { overlaps } from '#contract/boards/free-positions.ts'
import { keys } from '#contract/keys/keys.ts'
import { resetBreakers } from '#server/models/breaker.ts'
import { engines } from '#tests/engines.ts'
import { canaryKeys, createProviderApp } from '#tests/provider-app.ts'
import { useApp, useTestApp } from '#tests/use-test-app.ts'
import { buildMockProposals } from './propose-frames.ts'
import { type ParsedProposals, type ProposalContext, readProposals } from './read-proposals.ts'

const purpose = 'A board for the choir: plan the season and talk about the programme'
const createAnswer = (...frames: object[]) => JSON.stringify({ summary: 'For the choir.', frames })

describe.each(engines)('frame proposals without a key, on %s', (engine) => {
  const { app, ada } = useTestApp(engine, ['ada'])
  let boardId: string
  beforeAll(async () => {
    boardId = (await ada.call(boards.create, { body: { name: 'Quay Choir' } })).data.id
  })
  const propose = (actor = ada, text = purpose) =>
    actor.call(boardAssist.propose, { params: { id: boardId }, body: { purpose: text } })

  it('come from a labeled, deterministic mock, and nothing is placed', async () => {
    const previous = (await ada.call(boards.show, { params: { id: boardId } })).data
    const { status, data } = await propose()
    expect({ status, mock_mode: data.mock_mode }).toEqual({ status: 200, mock_mode: true })
    expect(data.summary).toContain('mock')
    expect(data.proposals.map(({ frame }) => frame.data.frameType)).toContain('process_frame')
    const again = (await propose()).data
    const listFrameData = (input: typeof data) => input.proposals.map(({ frame }) => frame.data)
    expect(listFrameData(again)).toEqual(listFrameData(data))
    expect((await ada.call(boards.show, { params: { id: boardId } })).data).toEqual(previous)
    const [log] = (await ada.call(agents.logs)).data.logs
    expect(log).toMatchObject({ origin: 'board-assist', agent: { slug: 'platform-agent' }, input: purpose })
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
    expect(saved).toMatchObject({ status: 200, data: { frames: { length: frames.length } } })
  })

  it('stream as a run and can be fetched by its id with stable ids', async () => {
    const { events } = await ada.stream(boardAssist.propose, { params: { id: boardId }, body: { purpose } })
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { mock_mode: true, session_id: null } })
    const runId = String(events[0]?.data.run_id)
    const showProposals = () => ada.call(boardAssist.proposals, { params: { id: boardId, runId } })
    const first = await showProposals()
    expect(first.data).toMatchObject({ run_id: runId, mock_mode: true })
    expect((await showProposals()).data).toEqual(first.data)
    const ids = first.data.proposals.map(({ frame }) => frame.id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/)
  })

  it("are private: others' boards and runs answer like unknown ids", async () => {
    const ben = await app.as('ben')
    const bensBoardId = (await ben.call(boards.create, { body: {} })).data.id
    const { data } = await propose()
    const unknown = await propose(ben)
    const random = await ben.call(boardAssist.propose, { params: { id: 'x'.repeat(32) }, body: { purpose } })
    expect(unknown).toMatchObject({ status: 404, body: { error: random.body.error } })
    expect(random.status).toBe(404)
    const run = await ben.call(boardAssist.proposals, { params: { id: bensBoardId, runId: data.run_id } })
    expect({ status: run.status, error: run.body.error }).toEqual({ status: 404, error: 'Run not found' })
    const agentRun = await ada.call(agents.run, { body: { agentId: 'kip', input: createAnswer() } })
    const otherRun = await ada.call(boardAssist.proposals, { params: { id: boardId, runId: agentRun.data.run_id } })
    expect(otherRun.status).toBe(404)
  })

  it('require a purpose', async () => {
    const answer = await propose(ada, ' a ')
    expect(answer.status).toBe(400)
    expect(answer.body.fields).toEqual({ purpose: 'Say what the board is for.' })
  })
})

describe.each(engines)('frame proposals by a model, on %s', (engine) => {
  let boardId: string
  let answer = ''
  const { app, ada } = useApp(() => createProviderApp(engine, { answer: () => answer }), ['ada'])
  beforeAll(async () => {
    await ada.call(keys.savePersonal, { body: { provider: 'openai', apiKey: canaryKeys.openai } })
    boardId = (await ada.call(boards.create, { body: { name: 'Canary choir', description: 'For the canary season.' } }))
      .data.id
  })
  beforeEach(() => resetBreakers())
  const propose = (text = purpose) =>
    ada.call(boardAssist.propose, { params: { id: boardId }, body: { purpose: text } })

  it('have reasons; unusable proposals are left out and counted', async () => {
    answer = `Here you go:\n\`\`\`json\n${createAnswer(
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
    answer = createAnswer({ type: 'dialog', name: 'Talk' })
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
    ['nothing that fits', createAnswer({ type: 'spaceship', name: 'Away' }), 'nothing that can go on this board'],
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
    const silentRequest = { purpose: 'For the choir [[fault:silent-mid]]' }
    const outcome = ada.stream(boardAssist.propose, { params: { id: boardId }, body: silentRequest })
    await expect.poll(() => app.services.runs.list().length).toBe(1)
    const runId = app.services.runs.list()[0]?.id ?? ''
    const early = await ada.call(boardAssist.proposals, { params: { id: boardId, runId } })
    expect(early).toMatchObject({ status: 409, body: { error: 'The agent is still working on this.' } })
    await ada.call(runs.stop, { params: { runId } })
    expect((await outcome).events.at(-1)).toMatchObject({ event: 'error', data: { code: 'stopped' } })
    const late = await ada.call(boardAssist.proposals, { params: { id: boardId, runId } })
    expect({ status: late.status, data: late.body.data }).toEqual({ status: 422, data: { run_id: runId } })
  })
})

const offeredTypes = getFrameLibrary(null)
const emptyBoard: ProposalContext = { offeredTypes, frames: [], freeFrameCount: 1000 }
const cover = { type: 'media_card', name: 'Cover' }
const readFrames = (frames: unknown[], context = emptyBoard) =>
  readProposals(JSON.stringify({ summary: 's', frames }), context)
const listBoxes = (result: ParsedProposals | undefined) =>
  (result?.proposals ?? []).map(({ data }) => ({ ...data.position, ...data.size }))

describe('frames in an answer', () => {
  it.each([
    ['bare', JSON.stringify({ summary: 'Yes.', frames: [cover] })],
    ['in a fence', `\`\`\`json\n${JSON.stringify({ summary: 'Yes.', frames: [cover] }, null, 2)}\n\`\`\``],
    [
      'in a fence without a name',
      `Here:\n\`\`\`\n{"summary":"Yes.","frames":[{"type":"media_card","name":"Cover"}]}\n\`\`\`\nDone.`,
    ],
    ['between words', `Of course! {"summary":"Yes.","frames":[{"type":"media_card","name":"Cover"}]} Enjoy.`],
    [
      'with a fence inside its content',
      JSON.stringify({
        summary: 'Yes.',
        frames: [cover, { type: 'code_snippet', name: 'Notes', content: { code: '```js\n1\n```' } }],
      }),
    ],
  ])('are found %s', (_how, answer) => {
    const result = readProposals(answer, emptyBoard)
    expect(result?.summary).toBe('Yes.')
    expect(result?.proposals[0]?.data).toMatchObject({ frameType: 'media_card', name: 'Cover', slug: 'cover' })
  })

  it.each([
    ['words alone', 'I would add a dialog.'],
    ['half a JSON', '{"summary": "s", "frames": [{"type": "dialog", "name": "Ta'],
    ['a list', '[{"type":"dialog","name":"Talk"}]'],
    ["frames that aren't a list", '{"frames": "dialog"}'],
    ['a million brackets', '['.repeat(1_000_000)],
    ['nothing', ''],
  ])('are not read from %s', (_case, answer) => {
    expect(readProposals(answer, emptyBoard)).toBeUndefined()
  })

  it.each<[what: string, frame: unknown]>([
    ['an unknown type', { type: 'iframe', name: 'Page' }],
    ['a type of other boards', { type: 'journey_map', name: 'Places' }],
    ['a type that every object has', { type: 'constructor', name: 'x' }],
    ['no name', { type: 'dialog', name: ' \u202e ' }],
    ['a name without end', { type: 'dialog', name: 'x'.repeat(121) }],
    ["a pattern that doesn't accept it", { type: 'dialog', name: 'Talk', pattern: 'gallery' }],
    ['an unknown pattern', { type: 'dialog', name: 'Talk', pattern: 'free' }],
    ['too many steps', { type: 'process_frame', name: 'P', content: { steps: Array(61).fill('x') } }],
    ['invalid steps', { type: 'process_frame', name: 'P', content: { steps: [{ title: 7 }] } }],
    ['invalid content', { type: 'media_card', name: 'P', content: 'a picture' }],
    ['an unknown language', { type: 'code_snippet', name: 'C', content: { language: 'cobol' } }],
    ['a sentence', 'Add a dialog.'],
    ['nothing', null],
  ])('leave out %s and count it', (_case, frame) => {
    const result = readFrames([cover, frame])
    expect(result?.proposals.map(({ data }) => data.name)).toEqual(['Cover'])
    expect(result?.leftOut).toBe(1)
  })

  it('name no agent, picture, run or page, whatever the answer says', () => {
    const result = readFrames([
      { type: 'media_card', name: 'A', content: { mediaId: 'm'.repeat(32), title: 'Spring', fit: 'evil' } },
      { type: 'agent_preview', name: 'B', content: { agentId: 'built-in-kip', runId: 'r', input: 'Hello' } },
      { type: 'preview', name: 'C', content: { kind: 'page', html: '<script>1</script>', entityId: 'x' } },
      { type: 'dialog', name: 'D', content: { agentId: 'x', __proto__: { polluted: true } } },
    ])
    expect(result?.proposals.map(({ data }) => data.content)).toEqual([
      { mediaId: null, title: 'Spring', caption: '', alt: '', fit: 'cover' },
      { agentId: null, input: 'Hello', runId: null },
      { kind: 'entity', entity: null, entityId: null, html: '' },
      { agentId: null, sessionId: null },
    ])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it('lose invisible characters', () => {
    const result = readFrames([
      { type: 'process_frame', name: 'Eve\u200bning\u202e', why: 'A\u2066\nB', content: { steps: ['One\u{E0041}'] } },
    ])
    const [first] = result?.proposals ?? []
    expect({ name: first?.data.name, why: first?.why }).toEqual({ name: 'Evening', why: 'A B' })
    expect(first?.data.content.steps).toEqual([{ id: 'step-1', title: 'One', state: 'todo' }])
  })

  it("are limited to twelve and to the board's free space", () => {
    const manyFrames = Array.from({ length: 30 }, (_, index) => ({ type: 'dialog', name: `Talk ${index}` }))
    expect(readFrames(manyFrames)).toMatchObject({ proposals: { length: 12 }, leftOut: 18 })
    expect(readFrames(manyFrames, { ...emptyBoard, freeFrameCount: 2 })).toMatchObject({
      proposals: { length: 2 },
      leftOut: 28,
    })
    expect(readFrames(manyFrames, { ...emptyBoard, freeFrameCount: 0 })?.proposals).toEqual([])
  })

  it('lie on the grid without overlap, under unique slugs', () => {
    const frames = [
      { position: { x: 45, y: 33 }, size: { width: 311, height: 205 }, slug: 'talk' },
      { position: { x: 2013, y: -700 }, size: { width: 300, height: 1999 }, slug: 'talk-2' },
    ]
    const result = readFrames(Array(12).fill({ type: 'dialog', name: 'Talk' }), { ...emptyBoard, frames })
    const placed = listBoxes(result)
    expect(placed).toHaveLength(12)
    const all = [...frames.map(({ position, size }) => ({ ...position, ...size })), ...placed]
    for (const box of placed) {
      expect([box.x % 20, box.y % 20].map(Math.abs)).toEqual([0, 0])
      expect(all.filter((other) => other !== box && overlaps(box, other))).toEqual([])
    }
    expect(
      new Set([...frames, ...(result?.proposals ?? []).map(({ data }) => data)].map(({ slug }) => slug)).size,
    ).toBe(14)
  })

  it('go to the side if there is no space below, or are left out', () => {
    const tall = { position: { x: 0, y: 98_500 }, size: { width: 300, height: 1500 }, slug: 'low' }
    expect(listBoxes(readFrames([cover], { ...emptyBoard, frames: [tall] }))[0]).toMatchObject({ x: 340, y: 98_500 })
    const corner = { position: { x: 99_900, y: 99_900 }, size: { width: 120, height: 80 }, slug: 'corner' }
    expect(readFrames([cover], { ...emptyBoard, frames: [corner] })).toMatchObject({ proposals: [], leftOut: 1 })
  })
})

describe('mock proposals', () => {
  it.each([
    [
      'A board for the choir: plan the season and talk about the programme',
      ['media_card', 'process_frame', 'dialog', 'preview', 'people_overview'],
    ],
    ['compare two agents on one prompt', ['media_card', 'agent_preview', 'code_snippet']],
    ['…', ['media_card', 'process_frame']],
    ['Bell \u0007 tower plan', ['media_card', 'process_frame']],
    [`I want a board with "quotes" and \\ slashes ${'x'.repeat(1900)}`, ['media_card', 'process_frame']],
  ])('match the words of %s', (purpose, types) => {
    const answer = buildMockProposals(purpose, offeredTypes)
    const result = readProposals(`This is a mock answer: no key.\n\n${answer}`, emptyBoard)
    expect(result?.proposals.map(({ data }) => data.frameType)).toEqual(types)
    expect(result?.leftOut).toBe(0)
    expect(result?.summary).toContain('mock')
    expect(buildMockProposals(purpose, offeredTypes)).toBe(answer)
    for (const { data, pattern } of result?.proposals ?? []) {
      expect(frameData.safeParse(data).success).toBe(true)
      expect(acceptsFrame(pattern, data.frameType)).toBe(true)
    }
  })
})
