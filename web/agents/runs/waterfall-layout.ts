import type { RunSpan } from '#contract/agents/runs.ts'

export interface WaterfallRow {
  span: RunSpan
  depth: number
  hasChildren: boolean
  folded: boolean
  /** As a fraction of the axis. */
  from: number
  width: number
  /** Time so far while running. */
  ms: number
}

export interface Waterfall {
  rows: WaterfallRow[]
  ticks: { at: number; label: string }[]
}

/** Colors by kind, wherever traces are drawn. */
export const spanPigments: Record<RunSpan['kind'], string> = {
  coordinator: 'bg-chart3',
  agent: 'bg-chart1',
  model: 'bg-chart1',
  tool: 'bg-chart2',
  memory: 'bg-chart4',
  wait: 'bg-input',
}

/** Indented spans in start order, with bars on one axis. */
export function layOutWaterfall(spans: RunSpan[], folded: ReadonlySet<string>, endMs: number): Waterfall {
  const total = Math.max(endMs, ...spans.map((span) => span.ended_ms ?? span.started_ms), 1)
  // Padding, so that the longest bar doesn't touch the times.
  const axis = total * 1.03
  const known = new Set(spans.map((span) => span.id))
  const childrenOf = Map.groupBy(spans, (span) => (span.parent_id && known.has(span.parent_id) ? span.parent_id : null))
  const rows: WaterfallRow[] = []
  const seen = new Set<string>()

  function add(span: RunSpan, depth: number) {
    if (seen.has(span.id)) return
    seen.add(span.id)
    const children = inOrder(childrenOf.get(span.id) ?? [])
    const ms = Math.max((span.ended_ms ?? endMs) - span.started_ms, 0)
    rows.push({
      span,
      depth,
      hasChildren: children.length > 0,
      folded: folded.has(span.id),
      from: span.started_ms / axis,
      width: ms / axis,
      ms,
    })
    if (!folded.has(span.id)) for (const child of children) add(child, depth + 1)
  }
  for (const span of inOrder(childrenOf.get(null) ?? [])) add(span, 0)
  return { rows, ticks: ticksUpTo(axis) }
}

function inOrder(spans: RunSpan[]): RunSpan[] {
  return spans.toSorted((a, b) => a.started_ms - b.started_ms)
}

/** Three to five round ticks, with space for the last label. */
function ticksUpTo(axis: number): Waterfall['ticks'] {
  const rough = axis / 4
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * magnitude).find((each) => each >= rough) ?? rough
  const ticks = []
  for (let ms = 0; ms / axis <= 0.94; ms += step) ticks.push({ at: ms / axis, label: tickLabel(ms, step) })
  return ticks
}

function tickLabel(ms: number, step: number): string {
  if (step < 500) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  return `${step % 1000 === 0 ? seconds : seconds.toFixed(1)} s`
}

export type TreeKey = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight' | 'Home' | 'End'

export interface TreeMove {
  chosen: string
  fold?: string
  unfold?: string
}

/** Up and down move; left collapses or goes to the parent; right expands or goes to the first child. */
export function moveInTree(rows: WaterfallRow[], chosen: string | undefined, key: TreeKey): TreeMove | undefined {
  const at = rows.findIndex((row) => row.span.id === chosen)
  const row = rows[at]
  const go = (index: number): TreeMove | undefined => {
    const target = rows[Math.min(Math.max(index, 0), rows.length - 1)]
    return target && { chosen: target.span.id }
  }
  if (!row || key === 'Home') return go(0)
  if (key === 'End') return go(rows.length - 1)
  if (key === 'ArrowUp') return go(at - 1)
  if (key === 'ArrowDown') return go(at + 1)
  const { id } = row.span
  if (key === 'ArrowRight') {
    if (!row.hasChildren) return { chosen: id }
    return row.folded ? { chosen: id, unfold: id } : go(at + 1)
  }
  if (row.hasChildren && !row.folded) return { chosen: id, fold: id }
  const parent = rows.slice(0, at).findLast((each) => each.depth < row.depth)
  return { chosen: parent?.span.id ?? id }
}
