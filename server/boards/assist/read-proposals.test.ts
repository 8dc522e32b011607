import { describe, expect, it } from 'vitest'
import { frameData } from '#contract/boards/boards.ts'
import { acceptsFrame, getFrameLibrary } from '#contract/boards/frame-types.ts'
import { overlaps } from '#contract/boards/free-positions.ts'
import { buildMockProposals } from './propose-frames.ts'
import { type ParsedProposals, type ProposalContext, readProposals } from './read-proposals.ts'

const offered = getFrameLibrary(null)
const onEmpty: ProposalContext = { offeredTypes: offered, frames: [], freeFrameCount: 1000 }
const cover = { type: 'media_card', name: 'Cover' }
const read = (frames: unknown[], context = onEmpty) => readProposals(JSON.stringify({ summary: 's', frames }), context)
const boxes = (result: ParsedProposals | undefined) =>
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
      'with a fence inside what it holds',
      JSON.stringify({
        summary: 'Yes.',
        frames: [cover, { type: 'code_snippet', name: 'Notes', content: { code: '```js\n1\n```' } }],
      }),
    ],
  ])('are found %s', (_how, answer) => {
    const result = readProposals(answer, onEmpty)
    expect(result?.summary).toBe('Yes.')
    expect(result?.proposals[0]?.data).toMatchObject({ frameType: 'media_card', name: 'Cover', slug: 'cover' })
  })

  it.each([
    ['words alone', 'I would add a dialog.'],
    ['half a JSON', '{"summary": "s", "frames": [{"type": "dialog", "name": "Ta'],
    ['a list', '[{"type":"dialog","name":"Talk"}]'],
    ['frames that are none', '{"frames": "dialog"}'],
    ['a million brackets', '['.repeat(1_000_000)],
    ['nothing', ''],
  ])('are not read from %s', (_case, answer) => {
    expect(readProposals(answer, onEmpty)).toBeUndefined()
  })

  it.each<[what: string, frame: unknown]>([
    ['an unknown type', { type: 'iframe', name: 'Page' }],
    ['a type of other boards', { type: 'journey_map', name: 'Places' }],
    ['a type that every object has', { type: 'constructor', name: 'x' }],
    ['no name', { type: 'dialog', name: ' \u202e ' }],
    ['a name without end', { type: 'dialog', name: 'x'.repeat(121) }],
    ['a pattern that does not take it', { type: 'dialog', name: 'Talk', pattern: 'gallery' }],
    ['a pattern that there is not', { type: 'dialog', name: 'Talk', pattern: 'free' }],
    ['too many steps', { type: 'process_frame', name: 'P', content: { steps: Array(61).fill('x') } }],
    ['steps that are none', { type: 'process_frame', name: 'P', content: { steps: [{ title: 7 }] } }],
    ['content that is none', { type: 'media_card', name: 'P', content: 'a picture' }],
    ['a language nobody speaks', { type: 'code_snippet', name: 'C', content: { language: 'cobol' } }],
    ['a sentence', 'Add a dialog.'],
    ['nothing', null],
  ])('leave out %s and count it', (_case, frame) => {
    const result = read([cover, frame])
    expect(result?.proposals.map(({ data }) => data.name)).toEqual(['Cover'])
    expect(result?.leftOut).toBe(1)
  })

  it('name no agent, picture, run or page, whatever the answer says', () => {
    const result = read([
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
    const result = read([
      { type: 'process_frame', name: 'Eve\u200bning\u202e', why: 'A\u2066\nB', content: { steps: ['One\u{E0041}'] } },
    ])
    const [first] = result?.proposals ?? []
    expect({ name: first?.data.name, why: first?.why }).toEqual({ name: 'Evening', why: 'A B' })
    expect(first?.data.content.steps).toEqual([{ id: 'step-1', title: 'One', state: 'todo' }])
  })

  it("are limited to twelve and to the board's free space", () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ type: 'dialog', name: `Talk ${index}` }))
    expect(read(many)).toMatchObject({ proposals: { length: 12 }, leftOut: 18 })
    expect(read(many, { ...onEmpty, freeFrameCount: 2 })).toMatchObject({ proposals: { length: 2 }, leftOut: 28 })
    expect(read(many, { ...onEmpty, freeFrameCount: 0 })?.proposals).toEqual([])
  })

  it('lie on the grid without overlap, under unique slugs', () => {
    const frames = [
      { position: { x: 45, y: 33 }, size: { width: 311, height: 205 }, slug: 'talk' },
      { position: { x: 2013, y: -700 }, size: { width: 300, height: 1999 }, slug: 'talk-2' },
    ]
    const result = read(Array(12).fill({ type: 'dialog', name: 'Talk' }), { ...onEmpty, frames })
    const placed = boxes(result)
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
    expect(boxes(read([cover], { ...onEmpty, frames: [tall] }))[0]).toMatchObject({ x: 340, y: 98_500 })
    const corner = { position: { x: 99_900, y: 99_900 }, size: { width: 120, height: 80 }, slug: 'corner' }
    expect(read([cover], { ...onEmpty, frames: [corner] })).toMatchObject({ proposals: [], leftOut: 1 })
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
    [`I want a board with "quotes" and \\ slashes ${'x'.repeat(1900)}`, ['media_card', 'process_frame']],
  ])('match the words of %s', (purpose, types) => {
    const answer = buildMockProposals(purpose, offered)
    const result = readProposals(`This is a mock answer: no key.\n\n${answer}`, onEmpty)
    expect(result?.proposals.map(({ data }) => data.frameType)).toEqual(types)
    expect(result?.leftOut).toBe(0)
    expect(result?.summary).toContain('mock')
    expect(buildMockProposals(purpose, offered)).toBe(answer)
    for (const { data, pattern } of result?.proposals ?? []) {
      expect(frameData.safeParse(data).success).toBe(true)
      expect(acceptsFrame(pattern, data.frameType)).toBe(true)
    }
  })
})
