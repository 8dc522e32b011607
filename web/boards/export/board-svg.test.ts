import { describe, expect, it } from 'vitest'
import type { Frame } from '#contract/boards/boards.ts'
import { type FrameType, frameTypeNames, frameTypes } from '#contract/boards/frame-types.ts'
import { createBoardDocument } from '#tests/board-fixtures.ts'
import { type BoardDocument, buildFrame } from '../document/board-document.ts'
import { type BoardDrawing, drawBoard } from './board-svg.ts'
import type { FrameDetails } from './frame-details.ts'

const colors = {
  background: '#e2e8f0',
  onBackground: '#0f172a',
  dots: '#cbd5e1',
  card: '#ffffff',
  text: '#111111',
  mutedText: '#555555',
  border: '#cbd5e1',
  accent: '#b27a1c',
  done: '#2f6b4f',
}
/** Approximates real letter widths. */
const createMeasure: BoardDrawing['createMeasure'] = (font) => {
  const size = Number(/(\d+(?:\.\d+)?)px/.exec(font)?.[1])
  return (text) => [...text].length * size * 0.55
}
const draw = (document: BoardDocument, details: [string, FrameDetails][] = []) =>
  drawBoard({ document, colors, frameDetails: new Map(details), createMeasure })
const drawFrame = (
  type: FrameType,
  content: object,
  dataChanges: Partial<Frame['data']> = {},
  details?: FrameDetails,
) => {
  const { config } = createBoardDocument()
  const frame = buildFrame(type, { position: { x: 0, y: 0 } })
  const data = { ...frame.data, content: { ...frame.data.content, ...content }, ...dataChanges }
  return draw({ config, frames: [{ ...frame, data }] }, details && [[frame.id, details]]).svg
}
const getTexts = (svg: string) =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) =>
    (text ?? '').replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
  )

/** Checks that tags are balanced, without a browser's parser. */
function isWellFormed(svg: string): boolean {
  const openTags: string[] = []
  for (const [, closes, name, remainder] of svg
    .replace(/^<\?xml[^>]*\?>\s*/, '')
    .matchAll(/<(\/?)([\w]+)((?:\s[\w-]+="[^"<]*")*\s*\/?)>/g)) {
    if (closes) {
      if (openTags.pop() !== name) return false
    } else if (!remainder?.endsWith('/')) openTags.push(name ?? '')
  }
  return openTags.length === 0
}

describe('a board as SVG', () => {
  it.each<[type: FrameType, content: object, texts: string[], details?: FrameDetails]>([
    ['process_frame', { steps: [{ id: '1', title: 'Lock the gate', state: 'done' }] }, ['Lock the gate']],
    ['code_snippet', { code: 'a\n  b', language: 'python' }, ['python', 'a', '\u00a0\u00a0b']],
    ['media_card', { title: 'Spring', caption: 'to first ice', alt: 'A lamp' }, ['A lamp', 'Spring', 'to first ice']],
    ['dialog', { agentId: 'x' }, ['Kip', 'A chat with this agent.'], { name: 'Kip' }],
    ['dialog', {}, ['No agent chosen yet.']],
    ['agent_preview', { agentId: 'x', input: 'Hello' }, ['Kip', 'Hello', 'Ready to run.'], { name: 'Kip' }],
    ['preview', { entity: 'journey', entityId: 'x' }, ['North', 'A journey, read-only.'], { name: 'North' }],
    ['preview', { kind: 'page', html: '<h1>A &amp; B</h1><p>c</p><script>alert(1)</script>' }, ['A & B', 'c']],
    ['config_panel', { entity: 'agent' }, ['The settings of an agent.']],
    ['config_panel', {}, ['The Harbour Year', 'Layout: canvas', 'Mode: canvas', 'Animation: fade']],
    ['process_frame', {}, ['Nothing here yet.']],
  ])('shows the content of a %s', (type, content, texts, details) => {
    const [heading, name, typeLabel, ...otherTexts] = getTexts(drawFrame(type, content, {}, details))
    expect({ heading, typeLabel }).toEqual({ heading: 'The Harbour Year', typeLabel: frameTypes[type].name })
    expect(name).toBeTruthy()
    expect(otherTexts).toEqual(texts)
  })

  it('labels an unknown type as not supported', () => {
    expect(getTexts(drawFrame('dialog', {}, { frameType: 'hologram' }))).toContain(
      'Frame type "hologram" is not supported.',
    )
  })

  it('shows text for every type', () => {
    for (const type of frameTypeNames) expect(getTexts(drawFrame(type, {})).length).toBeGreaterThan(3)
  })

  const hostile = `</text><script>alert(1)</script><image href="https://evil.example/x"/>" onload="alert(1)' &amp; ]]> \u0000\u0007\ud800\ufffe<!--`
  it.each<[where: string, svg: () => string]>([
    ['a name', () => drawFrame('dialog', {}, { name: hostile })],
    ['a type', () => drawFrame('dialog', {}, { frameType: hostile })],
    ['a step', () => drawFrame('process_frame', { steps: [{ id: '1', title: hostile, state: 'todo' }] })],
    ['code', () => drawFrame('code_snippet', { code: hostile })],
    ['a page', () => drawFrame('preview', { kind: 'page', html: hostile })],
    ['an agent', () => drawFrame('dialog', { agentId: 'x' }, {}, { name: hostile })],
    ['a picture', () => drawFrame('media_card', {}, {}, { picture: `data:image/png;base64,AA" onload="${hostile}` })],
    ['the board', () => draw({ config: { ...createBoardDocument().config, name: hostile }, frames: [] }).svg],
  ])('escapes %s', (_where, createSvg) => {
    const svg = createSvg()
    expect(isWellFormed(svg)).toBe(true)
    const drawnElements = ['svg', 'title', 'defs', 'pattern', 'circle', 'rect', 'line', 'text', 'image', 'path']
    for (const [, name] of svg.matchAll(/<(\w+)/g)) expect(drawnElements).toContain(name)
    for (const [, attribute] of svg.matchAll(/\s([\w-]+)="/g)) expect(attribute).not.toMatch(/^on/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML doesn’t allow control characters
    expect(svg).not.toMatch(/[\u0000-\u0008\ud800-\udfff\ufffe]/)
    for (const [, href] of svg.matchAll(/\shref="([^"]*)"/g)) expect(href).toMatch(/^data:image/)
  })

  it('fits every text into its frame', () => {
    const svg = drawFrame('process_frame', {
      steps: Array.from({ length: 60 }, (_, id) => ({ id: `${id}`, title: 'word '.repeat(38), state: 'todo' })),
    })
    const sizes = [...svg.matchAll(/font-size="([\d.]+)"[^>]*>([^<]*)</g)].slice(1)
    expect(sizes.length).toBeLessThan(20)
    for (const [, size, text] of sizes) expect((text ?? '').length * Number(size) * 0.55).toBeLessThanOrEqual(300)
  })

  it('is as large as its frames, wherever they are', () => {
    const { config } = createBoardDocument()
    const frames = [
      buildFrame('dialog', { position: { x: -5000, y: 200 } }),
      buildFrame('dialog', { position: { x: 3000, y: -900 } }),
    ]
    const { svg, width, height } = draw({ config, frames })
    expect({ width, height }).toEqual({ width: 8000 + 320 + 120, height: 1100 + 260 + 120 + 64 })
    expect(svg).toContain(`viewBox="0 0 ${width} ${height}"`)
    expect(svg).not.toMatch(/[xy]="-\d{2}/)
  })

  it('draws 500 frames', () => {
    const { config } = createBoardDocument()
    const steps = Array.from({ length: 12 }, (_, id) => ({
      id: `${id}`,
      title: 'Something to be done today',
      state: 'todo',
    }))
    const frames = Array.from({ length: 500 }, (_, index) =>
      buildFrame('process_frame', {
        position: { x: (index % 25) * 340, y: Math.floor(index / 25) * 240 },
        name: 'Round',
        content: { steps },
      }),
    )
    const { svg } = draw({ config, frames })
    expect(svg.match(/>Process Frame</g)).toHaveLength(500)
    expect(svg.length).toBeLessThan(4_000_000)
  })
})
