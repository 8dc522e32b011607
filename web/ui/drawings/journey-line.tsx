import { createSeededRandom, roundToTenth } from './seeded-random.ts'

export interface JourneyLineProps {
  seed: string
  /** From 0 to 1. */
  progress: number
  pointCount?: number
  width?: number
  height?: number
  className?: string
}

export function JourneyLine({ seed, progress, pointCount = 9, width = 320, height = 48, className }: JourneyLineProps) {
  const random = createSeededRandom(seed)
  const gapCount = Math.max(pointCount - 1, 1)
  const points = Array.from({ length: pointCount }, (_, index) => ({
    x: roundToTenth(8 + (index * (width - 16)) / gapCount),
    y: roundToTenth(height / 2 + (random() - 0.5) * (height - 16)),
  }))
  const pathData = points.reduce((path, point, index) => {
    const previous = points[index - 1]
    if (!previous) return `M${point.x} ${point.y}`
    const middleX = roundToTenth((previous.x + point.x) / 2)
    return `${path}C${middleX} ${previous.y} ${middleX} ${point.y} ${point.x} ${point.y}`
  }, '')
  const currentIndex = Math.round(progress * gapCount)
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
      className={className ?? 'max-w-full overflow-visible'}
    >
      <path d={pathData} fill="none" stroke="var(--k-border)" strokeWidth="2" />
      <path
        d={pathData}
        fill="none"
        stroke="var(--k-chart1)"
        strokeWidth="2"
        pathLength={100}
        strokeDasharray={`${roundToTenth(progress * 100)} 100`}
      />
      {points.map(({ x, y }, index) => (
        <circle
          key={x}
          cx={x}
          cy={y}
          r={index === currentIndex ? 5 : 3.4}
          fill={getPointFill(index, currentIndex)}
          stroke={index <= currentIndex ? 'var(--k-card)' : 'var(--k-border)'}
          strokeWidth="1.5"
        />
      ))}
    </svg>
  )
}

function getPointFill(index: number, currentIndex: number): string {
  if (index === currentIndex) return 'var(--k-ribbon)'
  return index < currentIndex ? 'var(--k-chart1)' : 'var(--k-card)'
}
