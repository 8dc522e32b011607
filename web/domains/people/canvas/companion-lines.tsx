import { useLayoutEffect, useRef, useState } from 'react'
import type { Companions } from '../companions.ts'

interface CompanionLinesProps {
  companions: readonly Companions[]
  highlightedId: string | null
  /** Changes whenever cards may have moved. */
  arrangement: unknown
}

interface CompanionLine {
  key: string
  path: string
  isHighlighted: boolean
  journeyCount: number
}

const maxLines = 150

/** Connects cards of people on the same journey; the Collaboration Network has an accessible version. */
export function CompanionLines({ companions, highlightedId, arrangement }: CompanionLinesProps) {
  const svgRef = useRef<SVGSVGElement>(null)
  const [lines, setLines] = useState<readonly CompanionLine[]>([])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new arrangement requires new measurements
  useLayoutEffect(() => {
    const box = svgRef.current?.parentElement
    if (!box) return
    const measure = () => setLines(measureLines(box, companions, highlightedId))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => observer.disconnect()
  }, [companions, highlightedId, arrangement])

  return (
    <svg
      ref={svgRef}
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 z-10 size-full overflow-hidden"
    >
      {lines.map((line) => (
        <path
          key={line.key}
          d={line.path}
          fill="none"
          stroke="var(--k-ribbon)"
          strokeWidth={Math.min(1.2 + line.journeyCount * 0.6, 4)}
          strokeLinecap="round"
          opacity={line.isHighlighted ? 1 : highlightedId ? 0.25 : 0.6}
        />
      ))}
    </svg>
  )
}

function measureLines(
  box: HTMLElement,
  companions: readonly Companions[],
  highlightedId: string | null,
): CompanionLine[] {
  const origin = box.getBoundingClientRect()
  const cards = new Map<string, DOMRect>()
  for (const card of box.querySelectorAll('[data-person]'))
    cards.set(card.getAttribute('data-person') ?? '', card.getBoundingClientRect())
  return companions
    .flatMap(({ firstId, secondId, journeys }) => {
      const [first, second] = [cards.get(firstId), cards.get(secondId)]
      if (!first || !second) return []
      const isHighlighted = firstId === highlightedId || secondId === highlightedId
      return [
        {
          key: `${firstId} ${secondId}`,
          path: toCompanionPath(first, second, origin),
          isHighlighted,
          journeyCount: journeys.length,
        },
      ]
    })
    .slice(0, maxLines)
}

/** Cards in one column connect by an arc at their left edge, others from center to center. */
function toCompanionPath(first: DOMRect, second: DOMRect, origin: DOMRect): string {
  const y1 = first.top + first.height / 2 - origin.top
  const y2 = second.top + second.height / 2 - origin.top
  if (Math.abs(first.left - second.left) < first.width / 2) {
    const x1 = first.left - origin.left
    const x2 = second.left - origin.left
    return `M${x1} ${y1}C${x1 - 13} ${y1} ${x2 - 13} ${y2} ${x2} ${y2}`
  }
  const x1 = first.left + first.width / 2 - origin.left
  const x2 = second.left + second.width / 2 - origin.left
  const middle = (x1 + x2) / 2
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`
}
