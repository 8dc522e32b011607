import { type CSSProperties, type KeyboardEvent, useRef, useState } from 'react'
import { classNames } from '../hooks/class-names.ts'

export interface BarSeries {
  name: string
  /** Index of the theme's chart color. */
  pigment: 1 | 2 | 3 | 4 | 5
}

interface Bar {
  key: string
  label: string
  parts: readonly number[]
}

export interface StackedBarsProps {
  label: string
  series: readonly BarSeries[]
  bars: readonly Bar[]
  format: (amount: number) => string
}

const barClasses = { 1: 'fill-chart1', 2: 'fill-chart2', 3: 'fill-chart3', 4: 'fill-chart4', 5: 'fill-chart5' }
const dotClasses = { 1: 'bg-chart1', 2: 'bg-chart2', 3: 'bg-chart3', 4: 'bg-chart4', 5: 'bg-chart5' }
const [barStep, chartHeight] = [10, 100]
const barWidth = barStep * 0.72
const barMargin = (barStep - barWidth) / 2

export function StackedBars({ label, series, bars, format }: StackedBarsProps) {
  const [activeIndex, setActiveIndex] = useState<number>()
  const [tabStop, setTabStop] = useState(bars.length - 1)
  const svgRef = useRef<SVGSVGElement>(null)
  const totals = bars.map(({ parts }) => parts.reduce((total, part) => total + part, 0))
  const maxTotal = Math.max(...totals, 0)
  const activeBar = activeIndex === undefined ? undefined : bars[activeIndex]
  const tabStopIndex = Math.min(Math.max(tabStop, 0), bars.length - 1)

  function handleKeyDown(event: KeyboardEvent) {
    const targetIndexes: Record<string, number> = {
      ArrowLeft: tabStopIndex - 1,
      ArrowRight: tabStopIndex + 1,
      Home: 0,
      End: bars.length - 1,
    }
    const next = targetIndexes[event.key]
    if (event.key === 'Escape' && activeIndex !== undefined) {
      event.stopPropagation()
      return setActiveIndex(undefined)
    }
    if (next === undefined || !bars[next]) return
    event.preventDefault()
    setTabStop(next)
    svgRef.current?.querySelector<SVGGElement>(`[data-bar="${next}"]`)?.focus()
  }

  /** A bar focused by keyboard keeps its tooltip when the pointer leaves. */
  function handlePointerLeave() {
    setActiveIndex(svgRef.current?.contains(document.activeElement) ? tabStopIndex : undefined)
  }

  return (
    <figure className="min-w-0">
      <figcaption className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-small text-muted-foreground">
        {series.map(({ name, pigment }) => (
          <span key={name} className="inline-flex items-center gap-1.5">
            <span aria-hidden className={classNames('size-2.5 rounded-[3px]', dotClasses[pigment])} />
            {name}
          </span>
        ))}
        <span className="ms-auto tabular-nums">{maxTotal > 0 && `up to ${format(maxTotal)}`}</span>
      </figcaption>
      <div className="relative">
        {/* biome-ignore lint/a11y/useSemanticElements: a chart whose bars can be focused */}
        <svg
          ref={svgRef}
          role="group"
          aria-label={label}
          viewBox={`0 0 ${Math.max(1, bars.length) * barStep} ${chartHeight}`}
          preserveAspectRatio="none"
          className="block h-36 w-full overflow-visible border-b border-border"
          onKeyDown={handleKeyDown}
          onPointerLeave={handlePointerLeave}
        >
          {bars.map((bar, index) => (
            // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a focusable graphic with a text alternative
            <g
              key={bar.key}
              data-bar={index}
              role="img"
              aria-label={`${bar.label}: ${describeBar(bar, series, format)}`}
              tabIndex={index === tabStopIndex ? 0 : -1}
              className="group outline-none"
              onFocus={() => {
                setActiveIndex(index)
                setTabStop(index)
              }}
              onBlur={() => setActiveIndex(undefined)}
              // Not onPointerEnter: a bar that moves under a resting pointer isn't hovered.
              onPointerMove={() => setActiveIndex(index)}
            >
              <rect
                x={index * barStep}
                y={0}
                width={barStep}
                height={chartHeight}
                strokeWidth={2}
                vectorEffect="non-scaling-stroke"
                className={classNames(
                  activeIndex === index ? 'fill-fill' : 'fill-transparent',
                  'stroke-transparent group-focus-visible:stroke-ring',
                )}
              />
              {stackParts(bar.parts, maxTotal).map(({ y, barHeight }, seriesIndex) => (
                <rect
                  // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified by their series index
                  key={seriesIndex}
                  x={index * barStep + barMargin}
                  y={y}
                  width={barWidth}
                  height={barHeight}
                  className={barClasses[series[seriesIndex]?.pigment ?? 1]}
                />
              ))}
            </g>
          ))}
        </svg>
        {activeBar && activeIndex !== undefined && (
          <div
            aria-hidden
            className="pointer-events-none absolute bottom-full z-10 mb-1 w-max rounded-sm bg-foreground px-2 py-1 text-small text-background shadow-e2"
            style={getTooltipStyle(((activeIndex + 0.5) / bars.length) * 100)}
          >
            <span className="font-semibold">{activeBar.label}</span> {describeBar(activeBar, series, format)}
          </div>
        )}
      </div>
      <div aria-hidden className="mt-1 flex justify-between text-micro text-muted-foreground tabular-nums">
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </div>
    </figure>
  )
}

function getTooltipStyle(percent: number): CSSProperties {
  return percent < 50
    ? { insetInlineStart: `${percent}%`, maxWidth: `${100 - percent}%` }
    : { insetInlineEnd: `${100 - percent}%`, maxWidth: `${percent}%` }
}

function stackParts(parts: readonly number[], maxTotal: number): { y: number; barHeight: number }[] {
  let y = chartHeight
  return parts.map((part) => {
    const barHeight = maxTotal > 0 ? (part / maxTotal) * chartHeight : 0
    y -= barHeight
    return { y, barHeight }
  })
}

function describeBar({ parts }: Bar, series: readonly BarSeries[], format: (amount: number) => string): string {
  const labels = parts.flatMap((part, index) => (part > 0 ? [`${series[index]?.name} ${format(part)}`] : []))
  return labels.length > 0 ? labels.join(', ') : 'nothing'
}
