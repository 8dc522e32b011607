import type { RunSpan } from '#contract/agents/runs.ts'

export interface WaterfallRow {
  span: RunSpan
  depth: number
  hasChildren: boolean
  collapsed: boolean
  /** As a fraction of the axis. */
  start: number
  width: number
  ms: number
}

export interface Waterfall {
  rows: WaterfallRow[]
  ticks: { position: number; label: string }[]
}

export const spanPigments: Record<RunSpan['kind'], string> = {
  coordinator: 'bg-chart3',
  agent: 'bg-chart1',
  model: 'bg-chart1',
  tool: 'bg-chart2',
  memory: 'bg-chart4',
  wait: 'bg-input',
}

export function layoutWaterfall(spans: RunSpan[], collapsedIds: ReadonlySet<string>, endMs: number): Waterfall {
  const totalMs = Math.max(endMs, ...spans.map((span) => span.ended_ms ?? span.started_ms), 1)
  // Padding, so that the longest bar doesn't touch the times.
  const axisMs = totalMs * 1.03
  const existingIds = new Set(spans.map((span) => span.id))
  const childrenByParent = Map.groupBy(spans, (span) =>
    span.parent_id && existingIds.has(span.parent_id) ? span.parent_id : null,
  )
  const rows: WaterfallRow[] = []
  const addedIds = new Set<string>()

  function addSpan(span: RunSpan, depth: number) {
    if (addedIds.has(span.id)) return
    addedIds.add(span.id)
    const children = sortByStart(childrenByParent.get(span.id) ?? [])
    const ms = Math.max((span.ended_ms ?? endMs) - span.started_ms, 0)
    rows.push({
      span,
      depth,
      hasChildren: children.length > 0,
      collapsed: collapsedIds.has(span.id),
      start: span.started_ms / axisMs,
      width: ms / axisMs,
      ms,
    })
    if (!collapsedIds.has(span.id)) for (const child of children) addSpan(child, depth + 1)
  }
  for (const span of sortByStart(childrenByParent.get(null) ?? [])) addSpan(span, 0)
  return { rows, ticks: getTicks(axisMs) }
}

function sortByStart(spans: RunSpan[]): RunSpan[] {
  return spans.toSorted((a, b) => a.started_ms - b.started_ms)
}

function getTicks(axisMs: number): Waterfall['ticks'] {
  const roughStep = axisMs / 4
  const magnitude = 10 ** Math.floor(Math.log10(roughStep))
  const step =
    [1, 2, 5, 10].map((factor) => factor * magnitude).find((candidate) => candidate >= roughStep) ?? roughStep
  const ticks = []
  for (let ms = 0; ms / axisMs <= 0.94; ms += step) ticks.push({ position: ms / axisMs, label: formatTick(ms, step) })
  return ticks
}

function formatTick(ms: number, step: number): string {
  if (step < 500) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  return `${step % 1000 === 0 ? seconds : seconds.toFixed(1)} s`
}

export type TreeKey = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight' | 'Home' | 'End'

export interface TreeMove {
  chosen: string
  collapse?: string
  expand?: string
}

export function moveInTree(rows: WaterfallRow[], chosen: string | undefined, key: TreeKey): TreeMove | undefined {
  const currentIndex = rows.findIndex((row) => row.span.id === chosen)
  const row = rows[currentIndex]
  const moveTo = (index: number): TreeMove | undefined => {
    const targetRow = rows[Math.min(Math.max(index, 0), rows.length - 1)]
    return targetRow && { chosen: targetRow.span.id }
  }
  if (!row || key === 'Home') return moveTo(0)
  if (key === 'End') return moveTo(rows.length - 1)
  if (key === 'ArrowUp') return moveTo(currentIndex - 1)
  if (key === 'ArrowDown') return moveTo(currentIndex + 1)
  const { id } = row.span
  if (key === 'ArrowRight') {
    if (!row.hasChildren) return { chosen: id }
    return row.collapsed ? { chosen: id, expand: id } : moveTo(currentIndex + 1)
  }
  if (row.hasChildren && !row.collapsed) return { chosen: id, collapse: id }
  const parentRow = rows.slice(0, currentIndex).findLast((candidate) => candidate.depth < row.depth)
  return { chosen: parentRow?.span.id ?? id }
}
