import { gridSpacing } from '#contract/boards/boards.ts'
import { getFrameTypeName } from '#contract/boards/frame-types.ts'
import { fitLine, type MeasureText, wrapLines } from '#web/ui/text/fit-text.ts'
import { type BoardDocument, getBoundingBox, getFrameBox } from '../document/board-document.ts'
import { type FrameBlock, type FrameDetails, toFrameBlocks } from './frame-details.ts'

/** Created only by `drawTag`, so that all text is escaped. */
interface Markup {
  readonly markup: string
}
type Attributes = Record<string, string | number>

function drawTag(name: string, attributes: Attributes, ...children: readonly (Markup | string)[]): Markup {
  const attributeTexts = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeXml(formatAttribute(value))}"`,
  )
  const content = children.map((child) => (typeof child === 'string' ? escapeXml(child) : child.markup)).join('')
  return { markup: `<${name}${attributeTexts.join('')}${content === '' ? '/>' : `>${content}</${name}>`}` }
}

/** Rounds to hundredths of a pixel. */
const formatAttribute = (value: string | number) =>
  typeof value === 'number' ? String(Math.round(value * 100) / 100) : value

/** Escapes markup and drops characters that XML forbids. */
function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML doesn’t allow control characters
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, '')
      .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  )
}

/** System fonts, because a standalone file embeds none. */
const drawnFonts = {
  serif: 'Georgia, "Times New Roman", serif',
  sans: 'system-ui, "Segoe UI", Arial, sans-serif',
  mono: 'ui-monospace, Menlo, Consolas, monospace',
} as const

/** CSS colors. */
export interface DrawnColors {
  background: string
  onBackground: string
  dots: string
  card: string
  text: string
  mutedText: string
  border: string
  accent: string
  done: string
}

interface TextStyle {
  font: keyof typeof drawnFonts
  size: number
  line: number
  weight: number
  color: keyof DrawnColors
}
const textStyles = {
  heading: { font: 'serif', size: 34, line: 42, weight: 500, color: 'onBackground' },
  head: { font: 'sans', size: 13, line: 20, weight: 600, color: 'text' },
  type: { font: 'sans', size: 12, line: 20, weight: 400, color: 'mutedText' },
  body: { font: 'sans', size: 14, line: 22, weight: 400, color: 'text' },
  title: { font: 'serif', size: 18, line: 26, weight: 500, color: 'text' },
  strong: { font: 'sans', size: 14, line: 22, weight: 600, color: 'text' },
  muted: { font: 'sans', size: 13, line: 20, weight: 400, color: 'mutedText' },
  mono: { font: 'mono', size: 12.5, line: 19, weight: 400, color: 'text' },
} as const satisfies Record<string, TextStyle>

/** Takes a CSS font shorthand. */
type CreateMeasure = (font: string) => MeasureText
const getFont = ({ font, size, weight }: TextStyle) => `${weight} ${size}px ${drawnFonts[font]}`

export interface BoardDrawing {
  document: BoardDocument
  colors: DrawnColors
  frameDetails: ReadonlyMap<string, FrameDetails>
  createMeasure: CreateMeasure
}
export interface DrawnBoard {
  svg: string
  width: number
  height: number
}

const margin = 60
/** Height of the board's name. */
const headingHeight = 64
/** Height of a frame's header. */
const frameHeadHeight = 33
const padding = 12
const emptyBoardBounds = { x: 0, y: 0, width: 600, height: 200 }

/** Renders a board as a standalone SVG without scripts or external references. */
export function drawBoard({ document, colors, frameDetails, createMeasure }: BoardDrawing): DrawnBoard {
  const { config, frames } = document
  const bounds = getBoundingBox(frames) ?? emptyBoardBounds
  const width = bounds.width + margin * 2
  const height = bounds.height + margin * 2 + headingHeight
  const drawContext: DrawContext = { colors, createMeasure }
  const offset = { x: margin - bounds.x, y: margin + headingHeight - bounds.y }
  const frameElements = frames.map((frame) => {
    const box = getFrameBox(frame)
    const frameBox = { ...box, x: box.x + offset.x, y: box.y + offset.y }
    return drawTag(
      'svg',
      { x: frameBox.x - 2, y: frameBox.y - 2, width: frameBox.width + 4, height: frameBox.height + 4 },
      drawTag('rect', {
        x: 2,
        y: 2,
        width: frameBox.width,
        height: frameBox.height,
        rx: 12,
        fill: colors.card,
        stroke: colors.border,
      }),
      drawTag(
        'svg',
        { x: 2, y: 2, width: frameBox.width, height: frameBox.height },
        ...drawHead(drawContext, frame.data, frameBox.width),
        ...drawBody(drawContext, toFrameBlocks(frame, config, frameDetails.get(frame.id)), frameBox),
      ),
    )
  })
  const markup = drawTag(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}` },
    drawTag('title', {}, config.name || 'Board'),
    drawTag(
      'defs',
      {},
      drawTag(
        'pattern',
        { id: 'dots', width: gridSpacing, height: gridSpacing, patternUnits: 'userSpaceOnUse' },
        drawTag('circle', { cx: 1, cy: 1, r: 1, fill: colors.dots }),
      ),
    ),
    drawTag('rect', { width, height, fill: colors.background }),
    drawTag('rect', { width, height, fill: 'url(#dots)' }),
    drawLine(drawContext, textStyles.heading, config.name || 'Board', {
      x: margin,
      y: margin - 10,
      maxWidth: width - margin * 2,
    }),
    ...frameElements,
  )
  return { svg: `<?xml version="1.0" encoding="UTF-8"?>\n${markup.markup}`, width, height }
}

interface DrawContext {
  colors: DrawnColors
  createMeasure: CreateMeasure
}
interface TextPosition {
  x: number
  /** Top edge of the line. */
  y: number
  maxWidth: number
}

function drawHead(
  drawContext: DrawContext,
  { name, frameType }: { name: string; frameType: string },
  width: number,
): Markup[] {
  const availableWidth = width - padding * 2
  const type = fitLine(
    drawContext.createMeasure(getFont(textStyles.type)),
    getFrameTypeName(frameType),
    availableWidth * 0.45,
  )
  const typeWidth = drawContext.createMeasure(getFont(textStyles.type))(type)
  return [
    drawLine(drawContext, textStyles.head, name, { x: padding, y: 6, maxWidth: availableWidth - typeWidth - 10 }),
    drawLine(drawContext, textStyles.type, type, { x: width - padding - typeWidth, y: 6, maxWidth: typeWidth + 1 }),
    drawTag('line', { x1: 0, y1: frameHeadHeight, x2: width, y2: frameHeadHeight, stroke: drawContext.colors.border }),
  ]
}

function drawBody(
  drawContext: DrawContext,
  blocks: readonly FrameBlock[],
  { width, height }: { width: number; height: number },
): Markup[] {
  const elements: Markup[] = []
  let y = frameHeadHeight
  for (const [index, block] of blocks.entries()) {
    if (y >= height) break
    if (block.kind === 'picture') {
      const textCount = blocks.slice(index + 1).length
      const imageHeight = Math.max(20, height - y - textCount * textStyles.title.line - (textCount > 0 ? padding : 0))
      const preserveAspectRatio = block.fit === 'cover' ? 'xMidYMid slice' : 'xMidYMid meet'
      elements.push(drawTag('image', { x: 0, y, width, height: imageHeight, href: block.href, preserveAspectRatio }))
      y += imageHeight
      continue
    }
    if (index === 0 || blocks[index - 1]?.kind === 'picture') y += 8
    const indent = block.kind === 'step' ? 24 : 0
    const textStyle: TextStyle = block.kind === 'step' ? stepStyles[block.state] : textStyles[block.textStyle]
    if (block.kind === 'step')
      elements.push(...drawStepMark(drawContext, block.state, { x: padding + 7, y: y + textStyle.line / 2 }))
    const maxWidth = width - padding * 2 - indent
    const lines = toLines(
      drawContext,
      textStyle,
      block.text,
      maxWidth,
      Math.max(1, Math.floor((height - y) / textStyle.line)),
    )
    for (const text of lines) {
      elements.push(drawLine(drawContext, textStyle, text, { x: padding + indent, y, maxWidth }))
      y += textStyle.line
    }
    y += block.kind === 'step' ? 4 : 2
  }
  return elements
}

const stepStyles = {
  todo: { ...textStyles.body, color: 'mutedText' },
  active: textStyles.strong,
  done: textStyles.body,
  skipped: { ...textStyles.body, color: 'mutedText' },
} as const satisfies Record<string, TextStyle>

function drawStepMark(
  { colors }: DrawContext,
  state: keyof typeof stepStyles,
  { x, y }: { x: number; y: number },
): Markup[] {
  const stroke = { fill: 'none', 'stroke-width': 2, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }
  if (state === 'done') return [drawTag('path', { d: `M${x - 5} ${y}l3.5 3.5 6.5-7`, stroke: colors.done, ...stroke })]
  if (state === 'skipped') return [drawTag('path', { d: `M${x - 5} ${y}h10`, stroke: colors.mutedText, ...stroke })]
  const ringColor = state === 'active' ? colors.accent : colors.mutedText
  return [
    drawTag('circle', { cx: x, cy: y, r: 6, fill: 'none', stroke: ringColor, 'stroke-width': 1.5 }),
    ...(state === 'active' ? [drawTag('circle', { cx: x, cy: y, r: 3, fill: ringColor })] : []),
  ]
}

/** Code keeps lines and spaces; other text wraps. */
function toLines(
  { createMeasure }: DrawContext,
  textStyle: TextStyle,
  text: string,
  maxWidth: number,
  maxLines: number,
): string[] {
  const measure = createMeasure(getFont(textStyle))
  if (textStyle.font !== 'mono') return wrapLines(measure, text, maxWidth, maxLines)
  const lines = text.split(/\r\n|\r|\n/)
  const visibleLines = lines.slice(0, maxLines).map((row) => row.replaceAll('\t', '  ').replaceAll(' ', '\u00a0'))
  return visibleLines.map((row, index) => (index === maxLines - 1 && lines.length > maxLines ? `${row}…` : row))
}

function drawLine(
  { colors, createMeasure }: DrawContext,
  textStyle: TextStyle,
  text: string,
  { x, y, maxWidth }: TextPosition,
): Markup {
  const { font, size, weight, color } = textStyle
  return drawTag(
    'text',
    {
      x,
      y: y + textStyle.line / 2 + size * 0.35,
      'font-family': drawnFonts[font],
      'font-size': size,
      'font-weight': weight,
      fill: colors[color],
    },
    fitLine(createMeasure(getFont(textStyle)), text, maxWidth),
  )
}
