import { ChevronDown, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { RunSpan } from '#contract/agents/runs.ts'
import type { BuiltInTool, ToolCall } from '#contract/agents/tools.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { formatDuration } from './run-texts.ts'

const runAgentTool: BuiltInTool = 'run_agent'

/** Short results by span id: tool results and memory counts. Agent calls are left out, since their steps are shown. */
export function getStepNotes(spans: RunSpan[], tools: ToolCall[]): Map<string, string> {
  const notes = new Map<string, string>()
  const remainingCalls = tools.filter(({ result }) => result !== null)
  for (const span of spans.toSorted((a, b) => a.started_ms - b.started_ms)) {
    if (span.kind === 'memory' && span.memory.length > 0) notes.set(span.id, pluralize(span.memory.length, 'item'))
    if (span.kind !== 'tool') continue
    const spanInput = JSON.stringify(span.input)
    const index = remainingCalls.findIndex(
      ({ name, arguments: callArguments }) => name === span.name && JSON.stringify(callArguments) === spanInput,
    )
    const [call] = index < 0 ? [] : remainingCalls.splice(index, 1)
    if (call?.result && call.name !== runAgentTool) notes.set(span.id, call.result)
  }
  return notes
}

const columnClasses =
  'grid grid-cols-[190px_minmax(0,1fr)_64px] items-center gap-3 phone:grid-cols-[140px_minmax(0,1fr)_56px] phone:gap-2 phone:max-[359px]:grid-cols-[120px_minmax(0,1fr)_54px]'
const compactColumnClasses = 'grid grid-cols-[minmax(0,1fr)_64px_60px] items-center gap-2'
const treeKeys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End']

export interface SpanWaterfallProps {
  spans: RunSpan[]
  tools: ToolCall[]
  endMs: number
  chosenId: string
  onChoose: (spanId: string) => void
  /** Without the axis and notes, in a frame of a board. */
  compact?: boolean
}

/** A tree grid: up and down move, left and right collapse and expand. */
export function SpanWaterfall({ spans, tools, endMs, chosenId, onChoose, compact = false }: SpanWaterfallProps) {
  const [collapsedIds, setCollapsedIds] = useState<ReadonlySet<string>>(new Set())
  const gridRef = useRef<HTMLDivElement>(null)
  const layout = layoutWaterfall(spans, collapsedIds, endMs)
  const notes = getStepNotes(spans, tools)

  function setCollapsed(id: string, isCollapsed: boolean) {
    setCollapsedIds(
      (previous) => new Set(isCollapsed ? [...previous, id] : [...previous].filter((spanId) => spanId !== id)),
    )
  }
  function handleKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (!treeKeys.includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return
    const move = moveInTree(layout.rows, chosenId, event.key as TreeKey)
    if (!move) return
    event.preventDefault()
    if (move.collapseId) setCollapsed(move.collapseId, true)
    if (move.expandId) setCollapsed(move.expandId, false)
    onChoose(move.chosenId)
    gridRef.current?.querySelector<HTMLElement>(`[data-span="${CSS.escape(move.chosenId)}"]`)?.focus()
  }

  return (
    <div className={compact ? 'px-2' : 'px-[18px] pt-1.5 pb-2.5'}>
      {!compact && (
        <div aria-hidden className={`${columnClasses} h-6 text-small text-muted-foreground`}>
          <span>Step</span>
          <WaterfallAxis ticks={layout.ticks} />
          <span className="text-end">Time</span>
        </div>
      )}
      <div ref={gridRef} role="tree" aria-label="Steps of the run" onKeyDown={handleKeyDown}>
        {layout.rows.map((row) => (
          <WaterfallStep
            key={row.span.id}
            row={row}
            ticks={compact ? [] : layout.ticks}
            note={compact ? undefined : (row.span.failure ?? notes.get(row.span.id))}
            columns={compact ? compactColumnClasses : columnClasses}
            chosen={row.span.id === chosenId}
            onChoose={() => onChoose(row.span.id)}
            onToggle={() => setCollapsed(row.span.id, !row.collapsed)}
          />
        ))}
      </div>
    </div>
  )
}

function WaterfallAxis({ ticks }: Pick<Waterfall, 'ticks'>) {
  return (
    <div className="relative h-4 tabular-nums">
      {ticks.map((tick, index) => (
        <span
          key={tick.position}
          className={classNames(
            'absolute whitespace-nowrap',
            index > 0 && '-translate-x-1/2',
            index % 2 === 1 && 'phone:hidden',
          )}
          style={{ left: `${tick.position * 100}%` }}
        >
          {tick.label}
        </span>
      ))}
    </div>
  )
}

/** A stop by the user isn't a failure. */
const hasFailed = (span: RunSpan) => span.failure !== null && span.failure !== 'stopped'

const maxIndentedDepth = 6
/** Notes of bars that end later, as a fraction of the axis, are placed before the bar. */
const maxNoteStart = 0.7

interface WaterfallStepProps {
  row: WaterfallRow
  ticks: Waterfall['ticks']
  note: string | undefined
  columns: string
  chosen: boolean
  onChoose: () => void
  onToggle: () => void
}

function WaterfallStep({ row, ticks, note, columns, chosen, onChoose, onToggle }: WaterfallStepProps) {
  const { span, depth, hasChildren, collapsed: isCollapsed } = row
  const Chevron = isCollapsed ? ChevronRight : ChevronDown
  const isMono = span.kind === 'tool' || span.kind === 'memory'
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it handles the keys
    <div
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={chosen}
      aria-expanded={hasChildren ? !isCollapsed : undefined}
      tabIndex={chosen ? 0 : -1}
      data-span={span.id}
      onClick={onChoose}
      className={classNames(
        columns,
        '-mx-2 h-7 cursor-pointer rounded-sm px-2 text-ui outline-offset-0',
        chosen ? 'bg-fill' : 'hover:bg-fill-hover',
      )}
    >
      <div
        className="flex min-w-0 items-center gap-2 [--step:18px] max-[359px]:gap-1 max-[359px]:[--step:8px]"
        style={{ paddingInlineStart: `calc(${Math.min(depth, maxIndentedDepth)} * var(--step))` }}
      >
        {depth > 0 && (
          <span
            aria-hidden
            className="-me-[3px] -mt-[9px] h-3.5 w-[9px] shrink-0 rounded-es-xs border-s-[1.5px] border-b-[1.5px] border-border"
          />
        )}
        <span aria-hidden className={classNames('size-[9px] shrink-0 rounded-[3px]', spanPigments[span.kind])} />
        <span
          aria-hidden
          className={classNames('truncate', isMono && 'font-mono text-[0.75rem]', depth === 0 && 'font-semibold')}
        >
          {span.name}
        </span>
        {/* One text node: screen readers would insert a space between two. */}
        <span className="sr-only">{`${span.name}, ${span.kind}${hasFailed(span) ? ', failed' : ''}, `}</span>
        {hasChildren && (
          <button
            type="button"
            tabIndex={-1}
            aria-hidden
            onClick={(event) => {
              event.stopPropagation()
              onToggle()
            }}
            className="grid size-6 shrink-0 place-items-center rounded-xs text-muted-foreground hover:bg-fill"
          >
            <Chevron size={13} />
          </button>
        )}
      </div>
      <div className="relative h-7 overflow-hidden">
        {ticks.map((tick) => (
          <i
            key={tick.position}
            className="absolute inset-y-0 w-px bg-hairline"
            style={{ left: `${tick.position * 100}%` }}
          />
        ))}
        <b
          className={classNames(
            'absolute top-[9px] h-2.5 min-w-[3px] rounded-[3px]',
            hasFailed(span) ? 'bg-destructive' : spanPigments[span.kind],
            span.ended_ms === null && 'animate-pulse',
          )}
          style={{ left: `${row.start * 100}%`, width: `${row.width * 100}%` }}
        />
        {note && (
          <em
            title={note}
            className={classNames(
              'absolute top-1.5 truncate px-1.5 text-[0.71875rem] leading-4 font-medium not-italic phone:hidden',
              hasFailed(span) ? 'text-destructive' : 'text-muted-foreground',
            )}
            style={
              row.start + row.width < maxNoteStart
                ? { left: `${(row.start + row.width) * 100}%`, right: 0 }
                : { right: `${(1 - row.start) * 100}%`, maxWidth: `${row.start * 100}%` }
            }
          >
            {note}
          </em>
        )}
      </div>
      <span className="text-end text-small text-muted-foreground tabular-nums">{formatDuration(row.ms)}</span>
    </div>
  )
}

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

/** As a fraction of the axis; a later label would be cut off. */
const maxTickPosition = 0.94

function getTicks(axisMs: number): Waterfall['ticks'] {
  const roughStep = axisMs / 4
  const magnitude = 10 ** Math.floor(Math.log10(roughStep))
  const niceStep = [1, 2, 5, 10].map((factor) => factor * magnitude).find((candidate) => candidate >= roughStep)
  // Labels are whole milliseconds; a finer step would repeat or round them.
  const step = Math.max(niceStep ?? roughStep, 1)
  const ticks = []
  for (let ms = 0; ms / axisMs <= maxTickPosition; ms += step)
    ticks.push({ position: ms / axisMs, label: formatTick(ms, step) })
  return ticks
}

function formatTick(ms: number, step: number): string {
  if (step < 500) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  return `${step % 1000 === 0 ? seconds : seconds.toFixed(1)} s`
}

export type TreeKey = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight' | 'Home' | 'End'

export interface TreeMove {
  chosenId: string
  collapseId?: string
  expandId?: string
}

export function moveInTree(rows: WaterfallRow[], chosenId: string | undefined, key: TreeKey): TreeMove | undefined {
  const currentIndex = rows.findIndex((row) => row.span.id === chosenId)
  const row = rows[currentIndex]
  const moveTo = (index: number): TreeMove | undefined => {
    const targetRow = rows[Math.min(Math.max(index, 0), rows.length - 1)]
    return targetRow && { chosenId: targetRow.span.id }
  }
  if (!row || key === 'Home') return moveTo(0)
  if (key === 'End') return moveTo(rows.length - 1)
  if (key === 'ArrowUp') return moveTo(currentIndex - 1)
  if (key === 'ArrowDown') return moveTo(currentIndex + 1)
  const { id } = row.span
  if (key === 'ArrowRight') {
    if (!row.hasChildren) return { chosenId: id }
    return row.collapsed ? { chosenId: id, expandId: id } : moveTo(currentIndex + 1)
  }
  if (row.hasChildren && !row.collapsed) return { chosenId: id, collapseId: id }
  const parentRow = rows.slice(0, currentIndex).findLast((candidate) => candidate.depth < row.depth)
  return { chosenId: parentRow?.span.id ?? id }
}
